package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// newDoNotCall puts a number on the list and gives the entry's id.
func (n *tenant) newDoNotCall() string {
	n.w.t.Helper()
	number := fmt.Sprintf("+1500555%04d", 1000+n.w.count(`select count(*) from do_not_call`))
	return n.do("POST", "/do-not-call", object{"phone_number": number, "note": "By letter"}).want(http.StatusCreated).get("id").(string)
}

func TestDoNotCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	first := n.do("POST", "/do-not-call", object{"phone_number": "+15005550003", "note": "By letter"}).want(http.StatusCreated)
	again := n.do("POST", "/do-not-call", object{"phone_number": " +15005550003", "channel": "voice"}).want(http.StatusOK)
	if first.get("id") != again.get("id") || again.get("note") != "By letter" || again.get("source") != "api" || again.get("created_by") != "Test" {
		t.Errorf("%v, then %v", first, again)
	}
	n.do("POST", "/do-not-call", object{"phone_number": "+15005550003", "channel": "message"}).want(http.StatusCreated)
	for body, want := range map[string]string{
		`{}`: "phone_number: not a valid E.164 number",
		`{"phone_number": "+15005550003", "channel": "fax", "note": "` + strings.Repeat("x", 501) + `"}`: "channel: must be voice or message; note: must have at most 500 characters",
		`{"phone_number": "+15005550003", "source": "call"}`:                                             "source: unknown field, did you mean note?",
	} {
		n.do("POST", "/do-not-call", body).refused(http.StatusBadRequest, want)
	}
	n.do("POST", "/do-not-call/batch", object{"entries": []object{{"phone_number": "+15005550003"}, {"phone_number": "+15005550004"}, {"phone_number": "+15005550004"}}}).
		want(http.StatusOK).has(t, object{"added": 1.0, "existing": 2.0})
	n.do("POST", "/do-not-call/batch", object{"entries": []object{}}).refused(http.StatusBadRequest, "entries: must have 1 to 10000 entries")
	n.do("POST", "/do-not-call/batch", object{"entries": []object{{"phone_number": "+15005550005"}, {"phone_number": "12"}}}).
		refused(http.StatusBadRequest, "entries[1].phone_number: not a valid E.164 number")

	w.refill()
	for query, rows := range map[string]int{
		"": 3, "?channel=voice": 2, "?channel=message&source=api": 1, "?source=call": 0, "?phone_number=%2B15005550003": 2,
		"?phone_number=%2B15005550005": 0, "?limit=1": 1,
	} {
		if got := len(n.do("GET", "/do-not-call"+query, nil).want(http.StatusOK).data()); got != rows {
			t.Errorf("%s: %d rows, want %d", query, got, rows)
		}
	}
	id := first.get("id").(string)
	n.do("GET", "/do-not-call/"+id, nil).want(http.StatusOK)
	n.do("DELETE", "/do-not-call/"+id, nil).want(http.StatusNoContent)
	n.do("DELETE", "/do-not-call/"+id, nil).refused(http.StatusNotFound, "Do-not-call entry not found")
	n.do("GET", "/do-not-call/x", nil).refused(http.StatusNotFound, "Do-not-call entry not found")

	// Whoever is listed is skipped.
	c := n.do("POST", "/campaigns", object{"name": "Spring", "project_id": n.project, "agent_id": n.agent, "phone_number_id": n.number,
		"recipients": []object{{"phone_number": "+15005550004"}, {"phone_number": "+15005550003"}}}).want(http.StatusCreated)
	if counters := c.get("counters").(object); counters["skipped"] != 1.0 || counters["pending"] != 1.0 {
		t.Errorf("counters %v", counters)
	}
}

// has wants some fields of an answer.
func (a *answer) has(t *testing.T, want object) {
	t.Helper()
	for field, value := range want {
		if got := a.get(field); got != value {
			t.Errorf("%s is %v, want %v", field, got, value)
		}
	}
}
