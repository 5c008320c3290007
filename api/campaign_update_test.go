package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestUpdateCampaign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	id := n.do("POST", "/campaigns", n.body(object{
		"scheduled_at": "2030-01-01T09:00:00Z", "expires_at": nil, "recipients": people(3),
	})).want(http.StatusCreated).get("id").(string)
	path := "/campaigns/" + id

	// Every field changes before the start.
	hours := object{"timezone": "UTC", "windows": []any{object{"days": []any{"mon"}, "start": "10:00", "end": "12:00"}}}
	changes := object{
		"name": "Autumn", "call_reason": "Your visit", "scheduled_at": "2030-02-01T09:00:00.000Z",
		"expires_at": "2030-03-01T09:00:00.000Z", "calling_hours": hours, "max_concurrency": 7.0,
		"calls_per_second": 0.5, "intents": object{
			"wrong_person": "stop", "deceased": "do_not_call", "minor": "stop", "busy": "stop", "call_back": "retry",
			"wants_human": "stop",
		},
		"voicemail_action": "leave_message", "ring_timeout_seconds": 20.0, "max_duration_seconds": 100.0,
		"variables": object{"a": "b"}, "metadata": object{"c": 1.0},
		"budget": object{"amount": "50", "currency": "EUR"},
	}
	got := n.do("PATCH", path, changes).want(http.StatusOK)
	for field, want := range changes {
		if !sameValue(t, got.get(field), want) {
			t.Errorf("%s is %v, want %v", field, got.get(field), want)
		}
	}
	if mode := got.get("detection").(map[string]any)["mode"]; mode != "wait_for_beep" {
		t.Errorf("the detection is %v", mode)
	}
	entry := n.do("GET", path+"/log", nil).data()[0].(map[string]any)
	if entry["type"] != "changed" || entry["message"] != "Changed: name, call reason, start time, end time, "+
		"calling hours, simultaneous calls, pace, intents, voicemail, voicemail detection, ring time, maximum length, "+
		"variables, metadata and budget" {
		t.Errorf("the log says %v", entry)
	}
	if n := w.count(`select count(*) from audit_entry where action = 'campaign.updated'`); n != 1 {
		t.Errorf("%d audit entries", n)
	}

	// A campaign that comes back as it was read changes nothing.
	again := n.do("PATCH", path, got.body).want(http.StatusOK)
	if again.body != got.body || w.count(`select count(*) from audit_entry where action = 'campaign.updated'`) != 1 {
		t.Errorf("a campaign that came back: %s", again.body)
	}
	n.do("PATCH", path, object{"call_reason": nil, "expires_at": nil, "budget": nil}).want(http.StatusOK)
	c := n.do("GET", path, nil)
	if c.get("call_reason") != nil || c.get("expires_at") != nil || c.get("budget") != nil {
		t.Errorf("nulls: %s", c.body)
	}
	n.do("PATCH", path, object{"name": "Late"}, "If-Match", got.header.Get("ETag")+`"x"`).
		want(http.StatusPreconditionFailed)

	for text, body := range map[string]object{
		"name: required":               {"name": ""},
		"phone_number_id: required":    {"phone_number_id": nil},
		"messaging.template: required": {"messaging": object{"trigger": "no_answer"}},
		"agent_id: no such agent":      {"agent_id": newID()},
		"status: cannot be changed here. Pause, resume or cancel the campaign": {
			"status": "paused",
		},
		"agent_version.version: Robin has no version 9": {"agent_version": object{"version": 9}},
		"expires_at: must be after the start":           {"expires_at": "2029-01-01T09:00:00Z"},
		"detection.mode: must not be wait_for_beep if voicemail_action is hang_up": {
			"voicemail_action": "hang_up", "detection": object{"mode": "wait_for_beep"},
		},
	} {
		if got := n.do("PATCH", path, body).want(http.StatusBadRequest); !strings.Contains(got.body, text) {
			t.Errorf("%v: %s, want %s", body, got.body, text)
		}
	}

	n.do("PATCH", path, object{"scheduled_at": nil}).want(http.StatusOK)
	w.exec(`update campaign set status = 'running', started_at = clock() where id = $1`, id)
	n.do("PATCH", path, object{"scheduled_at": "2030-01-01T09:00:00Z"}).
		refused(http.StatusConflict, "scheduled_at: cannot be changed after the campaign has started")

	// Its agent, number and messages change until the first call.
	agent, number, connection := n.newAgent().String(), n.newNumber(), n.newCarrierConnection()
	w.exec(`update phone_number set connection_id = $2 where id = $1`, number, connection)
	moved := n.do("PATCH", path, object{
		"agent_id": agent, "phone_number_id": number, "messaging": object{"trigger": "never"}, "call_reason": "Visit",
	}).want(http.StatusOK)
	if moved.get("agent_id") != agent || moved.get("phone_number_id") != number ||
		moved.get("messaging", "trigger") != "never" {
		t.Errorf("before the first call: %s", moved.body)
	}
	entry = n.do("GET", path+"/log", nil).data()[0].(map[string]any)
	if entry["message"] != "Changed: agent, phone number, call reason and WhatsApp messages" {
		t.Errorf("the log says %v", entry["message"])
	}
	w.exec(`update connection set kind = 'twilio' where id = $1`, connection)
	n.do("PATCH", path, object{"phone_number_id": n.number}).want(http.StatusOK)
	unready := n.do("PATCH", path, object{"phone_number_id": number}).want(http.StatusConflict)
	if !strings.Contains(unready.body, "is not ready for real calls: ") ||
		!strings.Contains(unready.body, "Fix this, or choose another number") {
		t.Errorf("a connection that is not ready: %s", unready.body)
	}
	w.exec(`update call set campaign_id = $2 where id = $1`, n.newCall("+13125550142"), id)
	refused := n.do("PATCH", path, object{
		"variables": object{}, "call_reason": "x", "name": "Winter", "agent_id": n.agent, "phone_number_id": number,
		"messaging": nil,
	})
	const fixed = ": cannot be changed after the first call or message"
	refused.refused(http.StatusConflict, "agent_id"+fixed+"; phone_number_id"+fixed+"; call_reason"+fixed+
		"; variables"+fixed+"; messaging"+fixed)
	n.do("PATCH", path, object{
		"name": "Winter", "metadata": object{}, "expires_at": "2030-01-01T09:00:00Z", "calling_hours": hours,
		"max_concurrency": 2, "calls_per_second": 3, "retry": object{"max_attempts": 4},
	}).want(http.StatusOK)
	n.do("POST", path+"/cancel", nil).want(http.StatusOK)
	n.do("PATCH", path, object{"name": "Spring"}).
		refused(http.StatusConflict, "This campaign is canceled and can no longer be changed")
	n.do("PATCH", "/campaigns/"+w.newTenant("Other").newCampaign(), object{"name": "Mine"}).want(http.StatusNotFound)
}

func sameValue(t *testing.T, a, b any) bool {
	t.Helper()
	first, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(first) == string(second)
}
