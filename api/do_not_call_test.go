package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// newDoNotCall adds a number to the list and returns the entry's id.
func (n *tenant) newDoNotCall() string {
	n.w.t.Helper()
	number := fmt.Sprintf("+1500555%04d", 1000+n.w.count(`select count(*) from do_not_call`))
	return n.do("POST", "/do-not-call", object{"phone_number": number, "note": "By letter"}).want(http.StatusCreated).
		get("id").(string)
}

func TestDoNotCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	first := n.do("POST", "/do-not-call", object{"phone_number": "+15005550003", "note": "By letter"}).
		want(http.StatusCreated)
	again := n.do("POST", "/do-not-call", object{"phone_number": " +15005550003", "channel": "voice"}).
		want(http.StatusOK)
	if first.get("id") != again.get("id") || again.get("note") != "By letter" || again.get("source") != "api" ||
		again.get("created_by") != "Test" {
		t.Errorf("%v, then %v", first, again)
	}
	n.do("POST", "/do-not-call", object{"phone_number": "+15005550003", "channel": "message"}).want(http.StatusCreated)
	for body, want := range map[string]string{
		`{"phone_number": "x", "channel": "y", "note": 5}`: "note: must be a string; " +
			"channel: must be voice or message; " +
			"phone_number: not a valid phone number. Use E.164, such as +13125550142",
		`{}`: "phone_number: required",
		`{"phone_number": "+15005550003", "channel": "fax", "note": "` + strings.Repeat("x", 501) +
			`"}`: "channel: must be voice or message; note: must have at most 500 characters",
		`{"phone_number": "+15005550003", "source": "call"}`: "source: unknown field, must be one of " +
			"channel, phone_number, note",
	} {
		n.do("POST", "/do-not-call", body).refused(http.StatusBadRequest, want)
	}
	n.do("POST", "/do-not-call/batch", object{
		"entries": []object{
			{"phone_number": "+15005550003"}, {"phone_number": "+15005550004"}, {"phone_number": "+15005550004"},
		},
	}).
		want(http.StatusOK).has(t, object{"added": 1.0, "existing": 2.0})
	n.do("POST", "/do-not-call/batch", object{"entries": []object{}}).
		refused(http.StatusBadRequest, "entries: at least one is required")
	many := make([]object, 10_001)
	for i := range many {
		many[i] = object{"phone_number": fmt.Sprintf("+1312%07d", 2_000_000+i)}
	}
	n.do("POST", "/do-not-call/batch", object{"entries": many}).
		refused(http.StatusBadRequest, "entries: must have at most 10,000 elements")
	n.do("POST", "/do-not-call/batch", object{"entries": many[1:]}).want(http.StatusOK).has(t, object{
		"added": 10_000.0,
	})
	w.exec(`delete from do_not_call where phone_number like '+1312%'`)
	n.do("POST", "/do-not-call/batch", object{
		"entries": []object{{"phone_number": "+15005550005"}, {"phone_number": "12"}},
	}).
		refused(http.StatusBadRequest,
			"entries[1].phone_number: not a valid phone number. Use E.164, such as +13125550142")

	w.refill()
	for query, rows := range map[string]int{
		"": 3, "?channel=voice": 2, "?channel=message&source=api": 1, "?source=call": 0,
		"?phone_number=%2B15005550003": 2,
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

	// A recipient with a listed number is skipped.
	c := n.do("POST", "/campaigns", object{"name": "Spring", "project_id": n.project, "agent_id": n.agent,
		"phone_number_id": n.number,
		"recipients": []object{
			{"phone_number": "+15005550004"}, {"phone_number": "+15005550003"},
		}}).want(http.StatusCreated)
	if counters := c.get("counters").(object); counters["skipped"] != 1.0 || counters["pending"] != 1.0 {
		t.Errorf("counters %v", counters)
	}
}

// has checks some fields of an answer.
func (a *answer) has(t *testing.T, want object) {
	t.Helper()
	for field, value := range want {
		if got := a.get(field); got != value {
			t.Errorf("%s is %v, want %v", field, got, value)
		}
	}
}

// newErasure erases a person and returns the erasure's id.
func (n *tenant) newErasure() string {
	n.w.t.Helper()
	number := fmt.Sprintf("+1500555%04d", 2000+n.w.count(`select count(*) from erasure`))
	return n.do("POST", "/erasures", object{"phone_number": number}).want(http.StatusAccepted).get("id").(string)
}

func TestErasures(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	id := n.newCall("+15005550003").String()
	e := n.do("POST", "/erasures", object{"phone_number": "+15005550003"}).want(http.StatusAccepted)
	e.has(t, object{"status": "running", "completed_at": nil})
	if again := n.do("POST", "/erasures", object{
		"phone_number": "+15005550003",
	}).want(http.StatusAccepted); again.get("id") != e.get("id") {
		t.Errorf("%v, then %v", e, again)
	}
	n.do("POST", "/erasures", object{"phone_number": "5550003"}).
		refused(http.StatusBadRequest, "phone_number: not a valid phone number. Use E.164, such as +13125550142")
	if err := w.app.Erasures.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.do("GET", "/erasures/"+e.get("id").(string), nil).want(http.StatusOK).has(t, object{
		"status": "completed", "calls": 1.0,
	})
	n.do("GET", "/calls/"+id, nil).want(http.StatusOK).has(t, object{
		"to_number": nil, "missing_number": "erased", "transcript_text": "", "analysis": nil, "status": "completed",
	})
	if rows := n.do("GET", "/do-not-call?phone_number=%2B15005550003", nil).data(); len(rows) != 2 ||
		rows[0].(object)["phone_number"] != "" || rows[0].(object)["erased"] != true {
		t.Errorf("%v", rows)
	}
	// Adding it again does not bring the number back.
	n.do("POST", "/do-not-call", object{"phone_number": "+15005550003"}).want(http.StatusOK).has(t, object{
		"phone_number": "", "source": "erasure",
	})
}
