package web

import (
	"net/http"
	"testing"
)

// Calls are found by intent, the page of a call shows it, and the page of its campaign counts it
// and leads to these calls.
func TestIntentsAreShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	path := v.multi("/campaigns", n.campaignForm(v, "name", "Spring"), "", nil).
		want(http.StatusSeeOther).header.Get("Location")
	w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number, recipient_name, status, outcome, ended_reason, ring_timeout_seconds,
			max_duration_seconds, campaign_id, created_at, asked_at, answered_at, ended_at, analysis)
		select gen_random_uuid(), $1, $2, $3, $4, $5, 'sandbox', '+15005559000', '+15005550001', 'Person ' || i,
			'completed', 'completed', 'completed', 30, 600, (select id from campaign), clock(), clock(), clock(),
			clock(),
			case when i = 1 then '{"status": "ready", "answers": {}, "sentiment": "unknown", "intent": "call_back",
				"call_back_at": "2026-11-20T15:00:00.000Z"}'::jsonb end
		from generate_series(1, 2) i`, n.organization, n.project, n.agent, n.number, n.connection)
	w.exec(`insert into do_not_call (id, organization_id, channel, phone_number, source, call_id)
		select gen_random_uuid(), $1, channel, '+15005550001', 'deceased', call.id
		from call, unnest(array['voice', 'message']) channel
		where recipient_name = 'Person 2'`, n.organization)
	page := v.get(path).want(http.StatusOK).has("Intent", "Asked to be called back 1")
	list := v.get(pathOf(t, page, "Asked to be called back")).want(http.StatusOK).
		has("Person 1", "Intent Asked to be called back").lacks("Person 2")
	v.get(pathOf(t, list, "Person 1")).want(http.StatusOK).
		has("Intent Asked to be called back", "Asked to be called at 20 Nov")
	v.get(pathOf(t, v.get("/calls"), "Person 2")).want(http.StatusOK).
		has("Added to the do-not-call list", "For calls and messages")
	v.get("/do-not-call?source=deceased").want(http.StatusOK).
		has("Recipient has died").lacks(">Opted out on a call</a>")
	// Its recipients are found by the intent of their last call, and exported with it.
	w.exec(`update recipient r set last_call_id = c.id, outcome = 'completed'
		from call c
		where r.name = 'Olu' and c.recipient_name = 'Person 1'`)
	w.exec(`update call set recipient_id = (select id from recipient where name = 'Olu')
		where recipient_name = 'Person 1'`)
	v.get(path + "?intent=call_back").want(http.StatusOK).has("Olu").lacks("Mei")
	v.get(path+"?intent=busy").want(http.StatusOK).lacks("Olu", "Mei")
	v.get(path+"/recipients/export?intent=call_back").want(http.StatusOK).has(",intent,", "call_back").lacks("Mei")
	v.get("/calls?intent=lunch").want(http.StatusUnprocessableEntity).wrong("intent", "Must be one of wrong_person")
}
