package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/account"
)

// ownCall is the body of POST /calls.
func (n *tenant) ownCall() object {
	return object{
		"project_id": n.project, "agent_id": n.agent, "phone_number_id": n.number, "to": "+13125550199",
		"scheduled_at": "2030-01-01T09:00:00Z",
	}
}

// The whole life of a scheduled call, as an integrator sees it.
func TestOwnCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	body := n.ownCall()
	body["external_id"], body["name"] = "contact-7", "Ana"
	made := n.do("POST", "/calls", body).want(http.StatusCreated)
	id := made.get("id").(string)
	recipient := made.get("recipient").(map[string]any)
	waiting := made.get("waiting").(map[string]any)
	if made.get("status") != "scheduled" || made.get("first_call_id") != id || made.get("campaign_id") != nil ||
		recipient["external_id"] != "contact-7" || recipient["name"] != "Ana" || recipient["id"] != nil ||
		waiting["reason"] != "scheduled" || waiting["until"] != "2030-01-01T09:00:00.000Z" {
		t.Errorf("%v", made)
	}
	n.do("GET", "/calls/"+id, nil).want(http.StatusOK)
	for _, path := range []string{"/calls", "/calls?status=scheduled", "/calls?to_number=%2B13125550199"} {
		if got := n.do("GET", path, nil).want(http.StatusOK).data(); len(got) != 1 {
			t.Errorf("%s: %d calls", path, len(got))
		}
	}
	if got := n.do("GET", "/campaigns", nil).want(http.StatusOK).data(); len(got) > 0 {
		t.Errorf("%d campaigns", len(got))
	}
	n.do("POST", "/calls/"+id+"/hang-up", nil).
		refused(http.StatusConflict, "The call has not been placed yet. Cancel it instead")
	for _, action := range []string{"cancel", "hang-up"} {
		other.do("POST", "/calls/"+id+"/"+action, nil).refused(http.StatusNotFound, "Call not found")
	}
	canceled := n.do("POST", "/calls/"+id+"/cancel", nil).want(http.StatusOK)
	if canceled.get("status") != "canceled" || canceled.get("ended_reason") != "canceled_by_user" ||
		canceled.get("ended_by") != "system" || canceled.get("ended_by_name") != "Test" ||
		canceled.get("due_at") != "2030-01-01T09:00:00.000Z" {
		t.Errorf("%v", canceled)
	}
	n.do("POST", "/calls/"+id+"/cancel", nil).refused(http.StatusConflict, "The call has already ended")

	reader := n.newKey(account.CallsRead, account.CampaignsWrite)
	w.do("POST", "/calls", reader, body).refused(http.StatusForbidden, "Forbidden")
}

// Many calls are canceled in one step, and the answer says what became of each.
func TestCancelManyCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	var calls []object
	for i := range 3 {
		body := n.ownCall()
		body["to"], body["retry"] = "+1312555010"+strconv.Itoa(i), object{"max_attempts": 1 + i}
		calls = append(calls, body)
	}
	made := n.do("POST", "/calls/batch", object{"calls": calls}).want(http.StatusCreated)
	foreign := other.do("POST", "/calls", other.ownCall()).want(http.StatusCreated).get("id").(string)
	id := func(i int) string { return made.get("data", i, "id").(string) }
	n.do("POST", "/calls/"+id(2)+"/cancel", nil).want(http.StatusOK)
	ids := []string{id(1), "nonsense", id(0), id(2), foreign, n.newLiveCall(), newID().String(), id(0)}
	want := []string{
		"canceled", "unknown", "canceled", "already_ended", "unknown", "in_progress", "unknown", "canceled",
	}
	for range 2 {
		answer := n.do("POST", "/calls/cancel", object{"ids": ids}).want(http.StatusOK)
		for i := range ids {
			if answer.get("data", i, "id") != ids[i] || answer.get("data", i, "result") != want[i] {
				t.Errorf("%d: %v, want %s", i, answer.get("data", i), want[i])
			}
			if want[i] == "canceled" {
				want[i] = "already_ended" // by the first request
			}
		}
	}
	for i := range 2 {
		c := n.do("GET", "/calls/"+id(i), nil).want(http.StatusOK)
		if c.get("ended_reason") != "canceled_by_user" || c.get("ended_by_name") != "Test" {
			t.Errorf("%v", c)
		}
	}
	other.do("POST", "/calls/"+foreign+"/cancel", nil).want(http.StatusOK) // still scheduled
	if n := w.count(`select count(*) from audit_entry where action = 'call.canceled'`); n != 4 {
		t.Errorf("%d audit entries", n)
	}
	n.do("POST", "/calls/cancel", object{"ids": []string{}}).
		refused(http.StatusBadRequest, "ids: at least one is required")
	n.do("POST", "/calls/cancel", object{"ids": make([]string, 1001)}).want(http.StatusBadRequest)
	w.do("POST", "/calls/cancel", n.newKey(account.CallsRead), object{"ids": ids}).
		refused(http.StatusForbidden, "Forbidden")
}

// The settings of a call are those of its request, with the defaults, before and after its end.
func TestSettingsOfACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	body := n.ownCall()
	body["retry"] = object{"max_attempts": 3, "delays_minutes": []int{15, 120}, "on": []string{"busy"}}
	body["timezone"], body["expires_at"] = "Europe/London", "2030-02-01T09:00:00Z"
	body["intents"] = object{"wants_human": "retry"}
	body["voicemail_action"], body["ring_timeout_seconds"] = "leave_message", 25
	id := n.do("POST", "/calls", body).want(http.StatusCreated).get("id").(string)
	check := func() {
		t.Helper()
		got := n.do("GET", "/calls/"+id+"/settings", nil).want(http.StatusOK)
		for want, value := range map[any]any{
			3.0:                        got.get("retry", "max_attempts"),
			120.0:                      got.get("retry", "delays_minutes", 1),
			"busy":                     got.get("retry", "on", 0),
			"Europe/London":            got.get("timezone"),
			"2030-02-01T09:00:00.000Z": got.get("expires_at"),
			"2030-01-01T09:00:00.000Z": got.get("scheduled_at"),
			"retry":                    got.get("intents", "wants_human"),
			"leave_message":            got.get("voicemail_action"),
			25.0:                       got.get("ring_timeout_seconds"),
			600.0:                      got.get("max_duration_seconds"),
			n.number.String():          got.get("phone_number_id"),
		} {
			if value != want {
				t.Errorf("%v, want %v", value, want)
			}
		}
	}
	check()
	n.do("POST", "/calls/"+id+"/cancel", nil).want(http.StatusOK)
	check()
	other.do("GET", "/calls/"+id+"/settings", nil).
		refused(http.StatusNotFound, "Settings of this call not found")
	n.do("GET", "/calls/"+n.newCall("+15005550001").String()+"/settings", nil).want(http.StatusNotFound)
}

// A scheduled call changes until it is placed. It stays the same call.
func TestChangeACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	made := n.do("POST", "/calls", n.ownCall()).want(http.StatusCreated)
	twin := n.do("POST", "/calls", n.ownCall()).want(http.StatusCreated).get("id").(string)
	path := "/calls/" + made.get("id").(string)
	due := made.get("due_at")
	updates := func() int { return w.count(`select count(*) from audit_entry where action = 'call.updated'`) }

	// The settings that come back as they were read change nothing.
	read := n.do("GET", path+"/settings", nil).want(http.StatusOK)
	n.do("PATCH", path, json.RawMessage(read.body)).want(http.StatusOK)
	n.do("PATCH", path, object{
		"scheduled_at": due, "to": "+13125550199", "project_id": n.project, "agent_id": n.agent,
	}).want(http.StatusOK)
	if updates() != 0 || w.count(`select count(*) from campaign where kind = 'call'`) != 1 {
		t.Errorf("%d changes", updates())
	}

	// What is the person's changes alone.
	got := n.do("PATCH", path, object{
		"name": "Ana", "external_id": "c-7", "variables": object{"day": "Monday"}, "metadata": object{"a": "b"},
	}, "If-Match", n.do("GET", path, nil).header.Get("ETag")).want(http.StatusOK)
	if got.get("recipient", "name") != "Ana" || got.get("recipient", "external_id") != "c-7" ||
		got.get("variables", "day") != "Monday" || got.get("metadata", "a") != "b" || got.get("due_at") != due {
		t.Errorf("%s", got.body)
	}
	n.do("PATCH", path, object{"name": "Eve"}, "If-Match", `"x"`).want(http.StatusPreconditionFailed)

	// Settings change for this call, and not for another one that had the same.
	hours := object{"timezone": "UTC", "windows": []any{object{"days": []any{"mon"}, "start": "10:00", "end": "12:00"}}}
	changes := object{
		"calling_hours": hours, "retry": object{"max_attempts": 3}, "voicemail_action": "leave_message",
		"ring_timeout_seconds": 25, "call_reason": "Your visit", "expires_at": "2030-03-01T09:00:00.000Z",
		"timezone": "Europe/London", "external_id": nil,
	}
	got = n.do("PATCH", path, changes).want(http.StatusOK)
	// 1 January 2030 is a Tuesday.
	if got.get("due_at") != "2030-01-07T10:00:00.000Z" || got.get("waiting", "reason") != "calling_hours" ||
		got.get("recipient", "external_id") != nil || got.get("recipient", "name") != "Ana" {
		t.Errorf("%s", got.body)
	}
	set := n.do("GET", path+"/settings", nil).want(http.StatusOK)
	for want, value := range map[any]any{
		3.0:                        set.get("retry", "max_attempts"),
		"leave_message":            set.get("voicemail_action"),
		"wait_for_beep":            set.get("detection", "mode"),
		25.0:                       set.get("ring_timeout_seconds"),
		"Your visit":               set.get("call_reason"),
		"2030-03-01T09:00:00.000Z": set.get("expires_at"),
		"Europe/London":            set.get("timezone"),
		"UTC":                      set.get("calling_hours", "timezone"),
	} {
		if value != want {
			t.Errorf("%v, want %v", value, want)
		}
	}
	if same := n.do("GET", "/calls/"+twin+"/settings", nil); same.body != read.body {
		t.Errorf("the other call has %s, want %s", same.body, read.body)
	}
	if w.count(`select count(*) from campaign where kind = 'call' and total = 1 and dial_at is not null`) != 2 ||
		updates() != 2 {
		t.Errorf("%d changes", updates())
	}

	// Wider calling hours bring the call forward, but not before the requested start.
	got = n.do("PATCH", path, object{"calling_hours": object{"timezone": "UTC", "windows": []any{object{
		"days": []any{"mon", "tue"}, "start": "07:00", "end": "12:00",
	}}}}).want(http.StatusOK)
	if got.get("due_at") != made.get("due_at") || got.get("waiting", "reason") != "scheduled" {
		t.Errorf("%s", got.body)
	}
	n.do("PATCH", path, object{"calling_hours": hours}).want(http.StatusOK)
	got = n.do("PATCH", path, object{"scheduled_at": "2030-02-12T15:00:00Z"}).want(http.StatusOK)
	if got.get("due_at") != "2030-02-18T10:00:00.000Z" {
		t.Errorf("%s", got.body)
	}

	for text, body := range map[string]object{
		"to: cannot be changed. Cancel the call and schedule a new one":              {"to": "+13125550100"},
		"agent_id: cannot be changed. Cancel the call and schedule a new one":        {"agent_id": newID()},
		"phone_number_id: cannot be changed. Cancel the call and schedule a new one": {"phone_number_id": nil},
		"expires_at: must be after the start": {
			"expires_at": "2029-01-01T09:00:00Z",
		},
		"expires_at: must be after the calling hours open": {
			"scheduled_at": "2030-02-26T09:00:00Z", "expires_at": "2030-02-27T09:00:00Z",
		},
		"ring_timeout_seconds: must be between 5 and 120": {"ring_timeout_seconds": 1},
		"timezone: ": {"timezone": "Mars"},
		"agent_version.version: Robin has no version 9": {"agent_version": object{"version": 9}},
	} {
		if got := n.do("PATCH", path, body).want(http.StatusBadRequest); !strings.Contains(got.body, text) {
			t.Errorf("%v: %s, want %s", body, got.body, text)
		}
	}
	other.do("PATCH", path, object{"name": "Eve"}).refused(http.StatusNotFound, "Call not found")
	w.do("PATCH", path, n.newKey(account.CallsRead), object{"name": "Eve"}).
		refused(http.StatusForbidden, "Forbidden")

	// All attempts are made with the same settings.
	w.exec(`update recipient set attempts = 1 where next_call_id = $1`, made.get("id"))
	n.do("PATCH", path, object{"name": "Eve", "retry": object{"max_attempts": 4}, "ring_timeout_seconds": 30}).
		refused(http.StatusConflict, "retry: cannot be changed after the first attempt; "+
			"ring_timeout_seconds: cannot be changed after the first attempt")
	n.do("PATCH", path, object{"name": "Eve"}).want(http.StatusOK)

	// They keep the delay after the last one, also if the settings come back as they were read.
	w.exec(`update recipient set due_at = '2030-02-25T10:30:00Z', wait_reason = 'retry' where next_call_id = $1`,
		made.get("id"))
	was := updates()
	set = n.do("GET", path+"/settings", nil).want(http.StatusOK)
	n.do("PATCH", path, json.RawMessage(set.body)).want(http.StatusOK)
	if updates() != was || set.get("scheduled_at") != "2030-02-25T10:30:00.000Z" {
		t.Errorf("%d changes by %s", updates()-was, set.body)
	}
	w.exec(`update recipient set wait_reason = 'calling_hours' where next_call_id = $1`, made.get("id"))
	got = n.do("PATCH", path, object{"timezone": "Europe/Paris"}).want(http.StatusOK)
	if got.get("due_at") != "2030-02-25T10:30:00.000Z" {
		t.Errorf("%s", got.body)
	}
	if got = n.do("PATCH", path, object{"scheduled_at": nil}).want(http.StatusOK); got.get("due_at") == nil ||
		got.get("due_at").(string) > "2029" {
		t.Errorf("%s", got.body)
	}
	w.exec(`update recipient set attempts = 0 where next_call_id = $1`, made.get("id"))

	n.do("POST", path+"/cancel", nil).want(http.StatusOK)
	n.do("PATCH", path, object{"name": "Ana"}).refused(http.StatusConflict, "The call has already ended")
	n.do("PATCH", "/calls/"+n.newLiveCall(), object{"name": "Ana"}).refused(http.StatusConflict,
		"The call is already being placed or in progress. It can no longer be changed")
}

// Changes of one call at the same time all apply.
func TestChangeACallAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	path := "/calls/" + n.do("POST", "/calls", n.ownCall()).want(http.StatusCreated).get("id").(string)
	var group sync.WaitGroup
	for _, change := range []object{
		{"ring_timeout_seconds": 25}, {"max_duration_seconds": 100}, {"name": "Ana"},
	} {
		group.Go(func() { n.do("PATCH", path, change).want(http.StatusOK) })
	}
	group.Wait()
	set := n.do("GET", path+"/settings", nil).want(http.StatusOK)
	if set.get("ring_timeout_seconds") != 25.0 || set.get("max_duration_seconds") != 100.0 ||
		n.do("GET", path, nil).get("recipient", "name") != "Ana" {
		t.Errorf("%s", set.body)
	}
	if w.count(`select sum(total) from campaign where kind = 'call'`) != 1 {
		t.Error("the counters do not add up")
	}
}

// A call that would expire before its calling hours open is refused.
func TestACallExpiresBeforeItsHours(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	body := n.ownCall()
	body["scheduled_at"] = "2030-01-05T12:00:00Z" // a Saturday
	body["timezone"] = "Europe/London"
	body["calling_hours"] = object{"timezone": "recipient", "windows": []object{
		{"days": []string{"mon"}, "start": "09:00", "end": "17:00"},
	}}
	const problem = "expires_at: must be after the calling hours open, at 2030-01-07T09:00:00Z"
	for _, early := range []string{"2030-01-06T12:00:00Z", "2030-01-07T09:00:00Z"} {
		body["expires_at"] = early
		n.do("POST", "/calls", body).refused(http.StatusBadRequest, problem)
	}
	later := maps.Clone(body)
	later["expires_at"] = "2030-01-07T09:00:01Z"
	n.do("POST", "/calls/batch", object{"calls": []object{later, body}}).
		refused(http.StatusBadRequest, "calls[1]."+problem)
	n.do("POST", "/calls", later).want(http.StatusCreated)
}

// Errors name the call and the field, and nothing is scheduled.
func TestRefusedOwnCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	with := func(field string, value any) object {
		body := n.ownCall()
		body[field] = value
		return body
	}
	for field, c := range map[string]struct {
		value any
		text  string
	}{
		"to":              {"12", "to: must begin with a plus sign"},
		"agent_id":        {other.agent, "agent_id: no such agent"},
		"phone_number_id": {other.number, "phone_number_id: no such phone number"},
		"recipients":      {[]any{}, "recipients: unknown field"},
		"max_concurrency": {1, "max_concurrency: unknown field"},
		"scheduled_at":    {"2020-01-01T00:00:00Z", "scheduled_at: must not be more than 5 minutes in the past"},
		"expires_at":      {"2029-01-01T00:00:00Z", "expires_at: must be after the start"},
	} {
		w.refill()
		a := n.do("POST", "/calls", with(field, c.value)).want(http.StatusBadRequest)
		if text := a.get("error").(string); !strings.HasPrefix(text, strings.SplitN(c.text, ":", 2)[0]+":") {
			t.Errorf("%s: %s", field, text)
		}
	}
	w.refill()
	n.do("POST", "/do-not-call", object{"phone_number": "+13125550199"}).want(http.StatusCreated)
	n.do("POST", "/calls", n.ownCall()).
		refused(http.StatusUnprocessableEntity, "to: this number is on the do-not-call list")
	n.do("POST", "/calls/batch", object{"calls": []object{with("to", "+13125550101"), n.ownCall()}}).
		refused(http.StatusUnprocessableEntity, "calls[1].to: this number is on the do-not-call list")
	const own = "+15005559000"
	n.do("POST", "/calls", with("to", own)).
		refused(http.StatusUnprocessableEntity, "to: must not be one of your own numbers")
	n.do("POST", "/calls/batch", object{"calls": []object{with("to", "+13125550101"), with("to", own)}}).
		refused(http.StatusUnprocessableEntity, "calls[1].to: must not be one of your own numbers")
	n.do("POST", "/calls/batch", object{"calls": []object{}}).
		refused(http.StatusBadRequest, "calls: at least one is required")
	many := make([]object, 1001)
	for i := range many {
		many[i] = with("to", "+13125550101")
	}
	n.do("POST", "/calls/batch", object{"calls": many}).
		refused(http.StatusBadRequest, "calls: must have at most 1,000 elements")
	if rows := w.count(`select count(*) from recipient`); rows > 0 {
		t.Errorf("%d calls are scheduled", rows)
	}
}

// The same key at the same time schedules one call.
func TestOwnCallUnderAKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	body := n.ownCall()
	var together sync.WaitGroup
	for range 5 {
		together.Go(func() {
			a := n.do("POST", "/calls", body, "Idempotency-Key", "one")
			if a.status != http.StatusCreated && a.status != http.StatusConflict {
				t.Error(a)
			}
		})
	}
	together.Wait()
	n.do("POST", "/calls", body, "Idempotency-Key", "one").want(http.StatusCreated)
	if rows := w.count(`select count(*) from recipient`); rows != 1 {
		t.Errorf("%d calls", rows)
	}
}

// Calls are found by the external ID of their recipient, scheduled or not, in the list and in the export.
func TestExternalIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	ids := map[string]bool{}
	for _, external := range []string{"contact 7", "contact 7", "contact 8"} {
		body := n.ownCall()
		body["external_id"] = external
		id := n.do("POST", "/calls", body).want(http.StatusCreated).get("id").(string)
		ids[id] = external == "contact 7"
		if len(ids) == 2 {
			n.do("POST", "/calls/"+id+"/cancel", nil).want(http.StatusOK)
		}
	}
	n.newCall("+15005550001")
	for _, path := range []string{"/calls", "/calls/export"} {
		query := path + "?external_id=contact+7"
		rows := n.do("GET", query, nil).want(http.StatusOK).rowsOf(query)
		for _, row := range rows {
			if !ids[row["id"]] {
				t.Errorf("%s finds %s", path, row["id"])
			}
		}
		if len(rows) != 2 {
			t.Errorf("%s: %d calls", path, len(rows))
		}
		if rows := other.do("GET", query, nil).want(http.StatusOK).rowsOf(query); len(rows) > 0 {
			t.Errorf("%s: another organization finds %d calls", path, len(rows))
		}
		w.refill()
		for value, problem := range map[string]string{
			"": "must not be empty", "%00": "must not contain control characters",
			strings.Repeat("x", 201): "must have at most 200 characters",
		} {
			n.do("GET", path+"?external_id="+value, nil).refused(http.StatusBadRequest, "external_id: "+problem)
		}
	}
	query := "/calls/export?status=scheduled"
	if rows := n.do("GET", query, nil).rowsOf(query); len(rows) != 2 || rows[0]["external_id"] != "contact 7" {
		t.Errorf("the export has %v", rows)
	}
}

// The evidence about a number has scheduled calls, and the follow-ups of calls without a campaign.
func TestEvidenceOfOwnCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	body := n.ownCall()
	body["external_id"] = "contact-7"
	first := n.do("POST", "/calls", body).want(http.StatusCreated).get("id").(string)
	n.do("POST", "/calls/"+first+"/cancel", nil).want(http.StatusOK)
	n.do("POST", "/calls", body).want(http.StatusCreated)
	made := n.do("POST", "/follow-ups", object{"call_id": first, "reason": "Wants a copy"}).want(http.StatusCreated)
	recipient := made.get("recipient").(map[string]any)
	if recipient["id"] != nil || recipient["external_id"] != "contact-7" || made.get("campaign_id") != nil {
		t.Errorf("%v", made)
	}
	e := n.do("POST", "/evidence", object{"phone_number": "+13125550199"}).want(http.StatusOK)
	if calls := e.get("calls").([]any); len(calls) != 2 || e.get("calls", 0, "status") != "scheduled" ||
		e.get("calls", 1, "status") != "canceled" || e.get("calls", 0, "recipient_id") != nil {
		t.Errorf("%v", calls)
	}
	if got := e.get("follow_ups").([]any); len(got) != 1 {
		t.Errorf("%d follow-ups", len(got))
	}
	if len(e.get("recipients").([]any))+len(e.get("campaigns").([]any)) > 0 {
		t.Errorf("%v", e)
	}
}

// A person whose call is scheduled is erased like others: the call is canceled, and nothing about the person remains.
func TestErasedOwnCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	body := n.ownCall()
	body["name"], body["external_id"], body["metadata"] = "Ana Souza", "contact-7", object{"note": "hard of hearing"}
	id := n.do("POST", "/calls", body).want(http.StatusCreated).get("id").(string)
	e := n.do("POST", "/erasures", object{"phone_number": body["to"]}).want(http.StatusAccepted).get("id").(string)
	for range 2 { // the canceled call is settled, then erased
		if err := w.app.Erasures.Work(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.exec(`update call set settled_at = clock(), settle_after = null
			where ended_at is not null and settled_at is null`)
	}
	n.do("GET", "/erasures/"+e, nil).want(http.StatusOK).has(t, object{"status": "completed", "recipients": 1.0})
	erased := n.do("GET", "/calls/"+id, nil).want(http.StatusOK)
	erased.has(t, object{
		"status": "canceled", "ended_reason": "do_not_call", "to_number": nil, "missing_number": "erased",
	})
	for _, text := range []string{"Ana", "contact-7", "hard of hearing", body["to"].(string)} {
		if strings.Contains(erased.body, text) {
			t.Errorf("%q remains: %s", text, erased.body)
		}
	}
	if left := w.count(`select count(*) from recipient where phone_number <> '' or name <> '' or external_id is not null
		or metadata::text <> '{}'`); left > 0 {
		t.Errorf("%d recipients keep something", left)
	}
}
