package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"github.com/dialwright/dialwright/internal/campaign"
)

const (
	callingHoursDecision = `{"clocks": [{"timezone": "America/New_York", "source": "number",
		"local_time": "2026-11-23T10:00:00.000-05:00", "start": "09:00", "end": "20:00"}],
		"rules": ["us-federal-hours"], "calls_in_24_hours": 2}`
	preDialCheck = `{"result": "allowed", "asked_at": "2026-11-23T15:00:00.000Z", "took_ms": 120, "reason": "on file"}`
)

// The evidence has every row about the number, more than one statement reads, and none about another number.
// After the person is erased, it has nothing.
func TestEvidence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	n.writes()
	const number = "+15005550006"
	c := n.campaign()
	c["recipients"] = []object{
		{"phone_number": number, "consent": object{"basis": "contract"}}, {"phone_number": number},
	}
	created := n.do("POST", "/campaigns", c).want(http.StatusCreated)
	const calls = 450
	n.newCall(number)
	w.exec(`
		insert into call (id, organization_id, project_id, attempt, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number, status, outcome, ended_reason, ended_by, voicemail_action, ring_timeout_seconds,
			max_duration_seconds, record, created_at, heard_at, ended_at, settled_at)
		select gen_random_uuid(), organization_id, project_id, 1, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number, 'no_answer', 'no_answer', 'no_answer', 'carrier', voicemail_action,
			ring_timeout_seconds, max_duration_seconds, false, created_at - i * interval '1 day', heard_at, clock(),
			clock()
		from call, generate_series(2, $2) i where person_number = $1`, number, calls)
	n.newCall("+15005550007")
	w.exec(`update call set consent_basis = 'contract', consent_at = '2026-01-07T12:00:00Z',
			consent_source = 'web form', consent_expires_at = '2027-01-07T12:00:00Z',
			calling_hours_decision = $2, pre_dial_check = $3
		where person_number = $1`, number, callingHoursDecision, preDialCheck)
	other.newCall(number)
	other.do("POST", "/do-not-call", object{"phone_number": number}).want(http.StatusCreated)
	other.newMessage(number)
	early := n.do("POST", "/do-not-call", object{"phone_number": number, "note": "by phone"}).want(http.StatusCreated)
	n.do("DELETE", "/do-not-call/"+early.get("id").(string), object{"reason": "new consent"}).
		want(http.StatusNoContent)
	n.do("DELETE", "/do-not-call/"+n.do("POST", "/do-not-call", object{"phone_number": "+15005550007"}).
		want(http.StatusCreated).get("id").(string), nil).want(http.StatusNoContent)
	entry := n.do("POST", "/do-not-call", object{"phone_number": number, "note": "by letter"}).want(http.StatusCreated)
	message := n.newMessage(number)
	var called string
	if err := w.Pool.QueryRow(t.Context(), `select id::text from call where organization_id = $1 and person_number = $2
		limit 1`, n.organization, number).Scan(&called); err != nil {
		t.Fatal(err)
	}
	followUp := n.do("POST", "/follow-ups", object{"call_id": called, "reason": "Wants a copy"}).
		want(http.StatusCreated)
	noted := newID()
	for i, to := range []string{called, n.newCall("+15005550007").String()} {
		w.exec(`with noted as (update call set notes = 1 where id = $2 returning organization_id)
			insert into call_note (id, organization_id, call_id, number, text, author)
			select case when $1 then $3::uuid else gen_random_uuid() end, organization_id, $2, 1, 'Ring the bell', 'CRM'
			from noted`, i == 0, to, noted)
	}
	w.exec(`insert into person_note (id, organization_id, phone_number, text, created_by)
		select gen_random_uuid(), $1, number, 'Prefers mornings ' || number, 'Sam' from unnest($2::text[]) number`,
		n.organization, []string{number, "+15005550007"})
	other.newFollowUp()
	n.do("POST", "/follow-ups", object{
		"call_id": n.newCall("+15005550007").String(), "reason": "Somebody else",
	}).want(http.StatusCreated)
	n.newMessage("+15005550007")

	e := n.do("POST", "/evidence", object{"phone_number": " " + number}).want(http.StatusOK)
	if got := e.get("calls").([]any); len(got) != calls {
		t.Errorf("%d calls", len(got))
	}
	for field, want := range map[string]string{
		"consent": `{"basis": "contract", "at": "2026-01-07T12:00:00.000Z", "source": "web form",
			"expires_at": "2027-01-07T12:00:00.000Z"}`,
		"calling_hours_decision": callingHoursDecision, "pre_dial_check": preDialCheck,
	} {
		if got, want := e.get("calls", 0, field), jsonOf(t, json.RawMessage(want)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s %v, want %v", field, got, want)
		}
	}
	recipients := e.get("recipients").([]any)
	if len(recipients) != 2 {
		t.Fatalf("recipients %v", recipients)
	}
	reasons := map[any]bool{}
	for _, r := range recipients {
		reasons[r.(map[string]any)["skip_reason"]] = true
	}
	if !reasons[campaign.SkipDuplicate] {
		t.Errorf("recipients %v", recipients)
	}
	first := func(list string) map[string]any {
		t.Helper()
		rows := e.get(list).([]any)
		if len(rows) != 1 {
			t.Fatalf("%s: %v", list, rows)
		}
		return rows[0].(map[string]any)
	}
	if got := first("do_not_call"); got["id"] != entry.get("id") || got["note"] != "by letter" {
		t.Errorf("do-not-call %v", got)
	}
	removed := first("do_not_call_removed")
	if removed["id"] != early.get("id") || removed["note"] != "by phone" || removed["removed_by"] == "" ||
		removed["reason"] != "new consent" {
		t.Errorf("removed %v", removed)
	}
	var log []string
	for _, row := range e.get("do_not_call_log").([]any) {
		row := row.(map[string]any)
		log = append(log, fmt.Sprint(row["action"], " ", row["do_not_call_id"]))
	}
	if want := []string{
		fmt.Sprint("do_not_call.added ", entry.get("id")), fmt.Sprint("do_not_call.removed ", early.get("id")),
		fmt.Sprint("do_not_call.added ", early.get("id")),
	}; !slices.Equal(log, want) {
		t.Errorf("log %v, want %v", log, want)
	}
	if got := first("messages"); got["id"] != message.String() {
		t.Errorf("messages %v", got)
	}
	if got := first("follow_ups"); got["id"] != followUp.get("id") || got["reason"] != "Wants a copy" {
		t.Errorf("follow-ups %v", got)
	}
	if got := first("call_notes"); got["id"] != noted.String() || got["call_id"] != called ||
		got["text"] != "Ring the bell" {
		t.Errorf("notes %v", got)
	}
	if got := first("notes"); got["text"] != "Prefers mornings "+number || got["created_by"] != "Sam" {
		t.Errorf("notes of members %v", got)
	}
	if got := first("campaigns"); got["id"] != created.get("id") || got["name"] == "" {
		t.Errorf("campaigns %v", got)
	}
	if k := w.count(`select count(*) from audit_entry where action = 'evidence.collected'
		and organization_id = $1 and data = '{"ends_in": "06"}'`, n.organization); k != 1 {
		t.Errorf("%d audit entries", k)
	}
	n.do("POST", "/evidence", object{"phone_number": "5550006"}).
		refused(http.StatusBadRequest, "phone_number: not a valid phone number. Use E.164, such as +13125550142")

	w.exec(`update call set ended_at = clock(), status = 'no_answer', outcome = 'no_answer', ended_reason = 'no_answer',
		ended_by = 'carrier', settled_at = clock() where ended_at is null`)
	n.do("POST", "/erasures", object{"phone_number": number}).want(http.StatusAccepted)
	if err := w.app.Erasures.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	e = n.do("POST", "/evidence", object{"phone_number": number}).want(http.StatusOK)
	for _, list := range []string{
		"calls", "call_notes", "recipients", "do_not_call", "do_not_call_removed", "do_not_call_log", "follow_ups",
		"messages", "notes", "campaigns",
	} {
		if rows := e.get(list).([]any); len(rows) != 0 {
			t.Errorf("after the erasure, %s: %v", list, rows)
		}
	}
}
