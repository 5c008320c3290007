package api

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/regulation"
)

// The reference lists every rule of the table once, with its source.
func TestCallingRulesAreListed(t *testing.T) {
	t.Parallel()
	r, err := Reference()
	if err != nil {
		t.Fatal(err)
	}
	page := r.Page("calling-rules")
	if page == nil || len(page.Sections) != 2 {
		t.Fatalf("the reference has %+v", page)
	}
	all := page.Sections[0].Text + "\n" + page.Sections[1].Text
	for _, rule := range regulation.Rules() {
		_, row, found := strings.Cut(all, "- `"+rule.ID+"` **"+rule.Place.Name()+"**: ")
		row, _, _ = strings.Cut(row, "\n")
		known := ", as of " + rule.AsOf + ", verified."
		if !rule.Verified {
			known = ", as of " + rule.AsOf + ", unverified."
		}
		rest, ok := strings.CutPrefix(row, rule.Text()+". ["+rule.Source+"]("+rule.URL+")"+known)
		if !found || !ok || strings.TrimSpace(rest) != rule.Note {
			t.Errorf("%s: %q", rule.ID, row)
		}
	}
	if rows := strings.Count(all, "\n- "); rows != len(regulation.Rules()) {
		t.Errorf("%d rows for %d rules", rows, len(regulation.Rules()))
	}
	if !strings.Contains(page.Sections[0].Text, "`us-fl-hours`") ||
		!strings.Contains(page.Sections[1].Text, "`fr-hours`") {
		t.Error("a rule is in the wrong section")
	}
}
