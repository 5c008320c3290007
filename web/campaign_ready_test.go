package web

import (
	"net/http"
	"testing"
)

// A campaign on a connection that is not ready asks for a reason, also without scripts.
func TestCampaignsAskForAReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const field = `name="not_ready_reason"`
	v.get("/campaigns/new").want(http.StatusOK).lacks(field)
	paused := "/campaigns/" + n.pausedCampaign().String()

	// A number that the account lacks concerns only the campaigns that call from it.
	w.exec(`update connection set kind = 'twilio', relay_proven_at = clock()`)
	w.exec(`insert into connection_check (connection_id, organization_id, name, state, detail, checked_at,
			phone_number_ids)
		select id, organization_id, 'numbers', 'failed', 'lacks a number', clock() + interval '1 day',
			array[gen_random_uuid()]
		from connection`)
	v.get("/campaigns/new").want(http.StatusOK).lacks(field).lacks("not ready")
	w.exec(`update connection_check set phone_number_ids = array(select id from phone_number)`)
	v.get("/campaigns/new").want(http.StatusOK).has(field, "Lacks a number", "not ready")
	w.exec(`delete from connection_check`)
	w.exec(`update connection set relay_proven_at = null`)

	// Checks that are never old, because nobody answers for Twilio here.
	w.exec(`insert into connection_check (connection_id, organization_id, name, state, detail, checked_at)
		select c.id, c.organization_id, k.name, k.state, k.detail, clock() + interval '1 day'
		from connection c, (values ('account', 'failed', 'the account is suspended'), ('relay', 'unknown', ''))
			k (name, state, detail)`)
	v.get("/campaigns/new").want(http.StatusOK).
		has(field, "is not ready for real calls", "The account is suspended", "No line has worked yet", "not ready")

	data := n.campaignForm(v, "name", "Spring")
	v.multi("/campaigns", data, "", nil).want(http.StatusUnprocessableEntity).
		wrong("not_ready_reason", "Required, because the connection").has("The account is suspended")
	created := v.multi("/campaigns", changed(data, "not_ready_reason", "We call our own phones"), "", nil).
		want(http.StatusSeeOther)
	v.get(created.header.Get("Location")).
		has("was not ready for real calls", "Account: the account is suspended",
			"Started anyway: We call our own phones")

	v.post(paused+"/resume", nil).want(http.StatusUnprocessableEntity).
		wrong("not_ready_reason", "Required").has("The account is suspended", "Resume anyway", "Keep paused")
	v.get(paused).has("Resume")
	v.post(paused+"/resume", form("not_ready_reason", "We call our own phones")).leads(paused)
	v.get(paused).has("Resumed. The connection was not ready", "Started anyway: We call our own phones")
}
