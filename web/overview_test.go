package web

import (
	"net/http"
	"testing"
)

// The overview says how much longer each running campaign will call, and what a
// person should look at.
func TestOverviewSaysWhatWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	id := n.newCampaign()
	w.exec(`update campaign set status = 'running', started_at = clock() where id = $1`, id)
	v.get("/").want(http.StatusOK).has("0 of 1", "Nothing needs your attention").lacks("Less than a minute")
	for range 10 {
		n.newCall()
	}
	w.exec(`update call set campaign_id = $1, recipient_id = (select id from recipient where campaign_id = $1),
		created_at = clock() - interval '30 seconds' * index
		from (select id as numbered, row_number() over (order by id) as index from call) of_call where id = numbered`, id)
	w.exec(`update recipient set due_at = clock() where campaign_id = $1`, id)
	v.get("/").has("Less than a minute")
	w.exec(`update recipient set due_at = clock() + interval '2 hours 30 seconds' where campaign_id = $1`, id)
	v.get("/").has("At least 2 h")

	w.exec(`update campaign set status = 'paused', pause_reason = '20 carrier errors in a row' where id = $1`, id)
	hook := n.newWebhook()
	w.exec(`update webhook set is_active = false, disabled_reason = 'failing', inactive_since = clock() where id = $1`, hook.ID)
	n.newKey("forgotten")
	w.exec(`update api_key set created_at = clock() - interval '91 days'`)
	v.get("/").lacks("At least 2 h").has(
		"Aster spring is paused: 20 carrier errors in a row", "1 recipient waits until it is resumed",
		"Aster bridge is disabled: its endpoint kept failing",
		"API key Aster forgotten has not been used for 90 days. Never used.")
}
