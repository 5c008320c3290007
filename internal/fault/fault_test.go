package fault_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/fault"
)

func TestProblemsSpellOutTwentyAndCountTheRest(t *testing.T) {
	t.Parallel()
	var p fault.Problems
	if p.Err() != nil {
		t.Fatal("no problems, yet an error")
	}
	for i := range 51 {
		p.Addf(fmt.Sprintf("recipients[%d].phone_number", i), "not valid")
	}
	text := p.Err().Error()
	if !strings.HasSuffix(text, "… and 31 more") || strings.Count(text, ";") != 19 {
		t.Fatalf("got %q", text)
	}
	if !strings.HasPrefix(text, "recipients[0].phone_number: not valid; recipients[1]") {
		t.Fatalf("got %q", text)
	}
}

func TestTheCauseIsKeptButNotShown(t *testing.T) {
	t.Parallel()
	cause := errors.New("password=hunter2")
	err := fmt.Errorf("place call: %w", fault.New(fault.BadGateway, "Messaging service unavailable").Because(cause))
	if fault.KindOf(err) != fault.BadGateway || !errors.Is(err, cause) {
		t.Fatal("kind or cause lost in the chain")
	}
	if got := fault.As(err).Message; got != "Messaging service unavailable" {
		t.Fatalf("shown: %q", got)
	}
	if fault.KindOf(cause) != fault.Internal {
		t.Fatal("an unknown error is not internal")
	}
}

func TestAlsoLeavesOutWhatCouldNotBeRead(t *testing.T) {
	t.Parallel()
	var p fault.Problems
	p.Addf("name", "must be a string")
	p.Addf("recipients[1]", "must be an object")
	var q fault.Problems
	for _, path := range []string{"name", "names", "recipients[1].phone_number", "recipients[10].phone_number"} {
		q.Addf(path, "required")
	}
	for range 30 {
		q.Addf("x", "wrong")
	}
	p.Also(q.Err())
	p.Also(errors.New("something else"))
	text := p.Err().Error()
	if !strings.HasPrefix(
		text,
		"name: must be a string; recipients[1]: must be an object; names: required; recipients[10].phone_number: "+
			"required; x: wrong",
	) {
		t.Errorf("got %q", text)
	}
	if p.Len() != 34 || !strings.HasSuffix(text, "… and 14 more") {
		t.Errorf("%d problems: %q", p.Len(), text)
	}
}
