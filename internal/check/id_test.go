package check_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

func TestIDsHaveOneSpelling(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	if got, ok := check.ParseID(id.String()); !ok || got != id {
		t.Errorf("%s is read as %s, %t", id, got, ok)
	}
	for _, s := range []string{"", "x", "{" + id.String() + "}", "urn:uuid:" + id.String(),
		strings.ReplaceAll(id.String(), "-", ""),
		id.String() + " ", strings.Repeat("z", 36)} {
		if _, ok := check.ParseID(s); ok {
			t.Errorf("%q is an ID", s)
		}
		var p fault.Problems
		want := "agent_id: no such agent"
		if s == "" {
			want = "agent_id: required"
		}
		if got := check.ID(&p, "agent_id", "agent", s); got != uuid.Nil || p.Err() == nil || p.Err().Error() != want {
			t.Errorf("%q: %s, %v, want %q", s, got, p.Err(), want)
		}
	}
}
