package web

import (
	"net/http"
	"net/url"
	"testing"
)

// A member sees the open alerts of the organization and chooses the emails. The form is accepted as it is first shown.
func TestAlerts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	v := n.as(n.staff)
	v.get("/alerts").want(http.StatusOK).has("Nothing needs your attention")
	id, foreign := n.newWebhook().ID, other.newWebhook().ID
	w.exec(`update webhook set is_active = false, inactive_since = clock(), disabled_reason = 'gone'`)
	if err := w.app.Alerts.Watch(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.get("/alerts").want(http.StatusOK).has("Webhook disabled", "/webhooks/"+id.String(), `title="1 open alert"`).
		lacks(foreign.String())
	w.exec(`update webhook set deleted_at = clock()`)
	if err := w.app.Alerts.Watch(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.get("/alerts").has("Nothing needs your attention")
	v.get("/alerts?status=resolved").want(http.StatusOK).has("/webhooks/" + id.String())

	// The page says why the menu counts fewer alerts than it lists.
	const others = "No open alert concerns you. The menu does not count alerts that are assigned to somebody else."
	w.exec(`update follow_up set assignee_id = $2, due_at = clock() - interval '1 hour' where id = $1`,
		n.newFollowUp(), n.admin.id)
	if err := w.app.Alerts.Watch(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.get("/alerts").want(http.StatusOK).has("Assigned to somebody else", others).lacks("1 open alert")
	n.as(n.admin).get("/alerts").has(`title="1 open alert"`).lacks("somebody else")

	settings := v.get("/alerts/settings").want(http.StatusOK).has(`checked id="kinds-follow_up_due"`)
	settings.lacks(`checked id="kinds-webhook_disabled"`)
	v.post("/alerts/settings", form("kinds", "webhook_disabled", "digest", "on", "weekly", "on")).leads("/alerts")
	v.get("/alerts/settings").
		has(`checked id="kinds-webhook_disabled"`, `checked id="digest-on"`, `checked id="weekly-on"`).
		lacks(`checked id="kinds-follow_up_due"`)
	v.post("/alerts/settings", url.Values{"kinds": {"storm"}}).want(http.StatusUnprocessableEntity)
	if w.count(`select count(*) from alert_setting where digest`) != 1 {
		t.Error("the settings were not kept")
	}
}
