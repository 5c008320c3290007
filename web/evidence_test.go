package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/suppression"
)

// The page shows what the organization stored about a number, oldest first, and nothing about another number or of
// another organization. The download is the JSON of the API. Each reading is in the audit log.
func TestEvidencePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	const path, number = "/settings/evidence", "+13125550142"
	for _, of := range []*tenant{n, other} {
		entry, _, err := w.app.Suppressions.Add(t.Context(), of.actor(), suppression.NewEntry{
			PhoneNumber: number, Source: suppression.ByUser, Note: of.name + " letter",
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.app.Suppressions.Remove(t.Context(), of.actor(), entry.ID, of.name+" form 18"); err != nil {
			t.Fatal(err)
		}
		campaign, call := of.newCampaign(), of.newCall()
		w.exec(`update recipient set phone_number = $2, consent_basis = 'contract', consent_source = 'form 17'
			where campaign_id = $1`, campaign, number)
		w.exec(`update call set person_number = $2, campaign_id = $3, consent_basis = 'contract',
			calling_hours_decision = '{"clocks": [{"timezone": "America/Chicago", "source": "number",
				"local_time": "2026-11-23T10:32:05.000-06:00", "start": "08:00", "end": "21:00"}], "rules": [],
				"calls_in_24_hours": 0}',
			pre_dial_check = '{"result": "allowed", "reason": null, "asked_at": "2026-11-23T16:32:05.000Z",
				"took_ms": 12}'
			where id = $1`, call, number, campaign)
	}
	followed := n.doneFollowUp()
	destination := n.newDestination()
	w.exec(`with called as (
			update call set person_number = $2, direction = 'inbound', reception = '{}', agent_name = 'Earlier name'
			where id = (select call_id from follow_up where id = $1) returning id, organization_id)
		insert into call_transfer (call_id, number, organization_id, destination_id, destination, mode, state, recorded,
			language)
		select id, 1, organization_id, $3, 'Front desk', 'cold', 'no_answer', false, 'en-US' from called`,
		followed, number, destination)
	w.exec(`update message set phone_number = $2 where id = $1`, n.newMessage(), number)
	if _, _, err := w.app.Suppressions.Add(t.Context(), n.actor(), suppression.NewEntry{
		PhoneNumber: "+13125550143", Source: suppression.ByUser, Note: "somebody else",
	}); err != nil {
		t.Fatal(err)
	}

	v := n.as(n.admin)
	call := value[string](w, `select id::text from call where organization_id = $1 and direction = 'outbound'`,
		n.organization)
	v.post("/calls/"+call+"/review", form("reviewed", "on", "tags", "Complaint, Billing", "note", "Was upset")).
		leads("/calls/" + call)
	w.exec(`insert into call_note (id, organization_id, call_id, number, text, author)
		select $1, organization_id, id, 1, 'Offer the late slot', 'Aster Bo' from call where id = $2`, newID(), call)
	w.exec(`update call set notes = 1 where id = $1`, call)
	linked := v.get("/calls/" + call).want(http.StatusOK).has("Collect evidence").field("phone_number")
	form142 := form("phone_number", linked)
	got := v.post(path, form142).want(http.StatusOK).
		has("Evidence about +1 312 555 0142", "Aster Ada, Aster",
			"Added to the do-not-call list", "Aster letter", "Removed from the do-not-call list",
			"Aster form 18", "Added to a campaign", "Contract, form 17", "Aster spring", "Aster Olu",
			"Called at 10:32 in America/Chicago, a time zone of the number, within 08:00–21:00.", "12 ms",
			"1:34 talk time", "WhatsApp message", "heads_up, en_US", "Inbound call", "Earlier name",
			"Front desk, no answer", "Follow-up", "Asked for a person", "Asked to talk to a person",
			"/follow-ups/"+followed.String(), "Reviewed by Aster Ada, ", "Billing, Complaint", "Was upset",
			"Note for the agent", "Offer the late slot", "Aster Bo").
		lacks("Borealis", "somebody else", "Nothing is stored", "Older entries")
	added := strings.Index(got.body, "Aster letter")
	removed := strings.Index(got.body, "Removed from the do-not-call list")
	if added < 0 || added > removed {
		t.Error("the removal comes before its entry")
	}
	v.post(path, form("phone_number", "(312) 555-0142")).want(http.StatusOK).has("Aster letter")

	file := v.post(path+"/download", form("phone_number", got.field("phone_number"))).want(http.StatusOK)
	disposition := file.header.Get("Content-Disposition")
	if file.header.Get("Content-Type") != "application/json" || file.header.Get("Cache-Control") != "no-store" ||
		!strings.HasPrefix(disposition, "attachment; filename=evidence-") || strings.Contains(disposition, "5550142") {
		t.Errorf("headers %v", file.header)
	}
	var all map[string]any
	if err := json.Unmarshal([]byte(file.body), &all); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"follow_ups", "recipients", "do_not_call_removed", "messages", "campaigns"} {
		if rows, _ := all[kind].([]any); len(rows) != 1 {
			t.Errorf("%s: %v", kind, all[kind])
		}
	}
	file.lacks("Borealis")
	if k := w.count(`select count(*) from audit_entry where organization_id = $1 and actor_id = $2
		and action = 'evidence.collected' and data = '{"ends_in": "42"}'`, n.organization, n.admin.id); k != 3 {
		t.Errorf("%d audit entries", k)
	}
	if log := w.log.String(); strings.Contains(log, "5550142") {
		t.Errorf("the log has the number: %s", log)
	}

	v.post(path, form("phone_number", "+13125550199")).want(http.StatusOK).
		has("Nothing is stored about this number.")
	for _, action := range []string{path, path + "/download"} {
		wrong := v.post(action, form("phone_number", "call me")).wrong("phone_number", "")
		if d := wrong.header.Get("Content-Disposition"); d != "" {
			t.Errorf("%s: the error is a file: %s", action, d)
		}
	}
	v.get("/do-not-call").has("Evidence about +1 312 555 0143")
	v.post(path, form("phone_number", "+13125550143")).want(http.StatusOK).has("On the list for calls", "somebody else")

	staff := n.as(n.staff)
	staff.post(path, form142).want(http.StatusForbidden).lacks("Aster letter")
	staff.post(path+"/download", form142).want(http.StatusForbidden).lacks("Aster letter")
	staff.get("/calls/"+call).want(http.StatusOK).lacks("Collect evidence", path)
	staff.get("/do-not-call").want(http.StatusOK).lacks(path)
}

// A long file shows the newest rows of each kind, and says which older ones are only in the JSON.
func TestLongEvidence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newCall()
	w.exec(`
		insert into call (id, organization_id, project_id, attempt, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number, status, outcome, ended_reason, ended_by, voicemail_action, ring_timeout_seconds,
			max_duration_seconds, record, created_at, heard_at, ended_at, settled_at)
		select gen_random_uuid(), organization_id, project_id, 1, agent_id, phone_number_id, connection_id, carrier,
			own_number, '+13125550142', 'no_answer', 'no_answer', 'no_answer', 'carrier', voicemail_action,
			ring_timeout_seconds, max_duration_seconds, false, created_at - i * interval '1 day', heard_at, clock(),
			clock()
		from call, generate_series(1, 501) i`)
	got := n.as(n.admin).post("/settings/evidence", form("phone_number", "+13125550142")).want(http.StatusOK).
		has("This page shows the newest 500 calls. Older rows are only in the JSON file.").lacks("messages.")
	if k := strings.Count(got.body, `href="/calls/`); k != 500 {
		t.Errorf("%d calls", k)
	}
}
