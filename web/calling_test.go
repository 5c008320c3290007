package web

import (
	"net/http"
	"testing"
)

func TestAllCallingIsStoppedFromTheDashboard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v, other := n.as(n.admin), n.as(n.staff)
	id := n.newCampaign()
	v.get("/campaigns").has("Stop all calling")
	const path = "/settings/organization/stop-calling"
	v.get(path).want(http.StatusOK).
		has("Stop all calling?", "Type “Aster” to confirm", "Also end calls in progress", "Keep calling")
	v.post(path, form("name", "Astre", "hang_up", "on")).wrong("name", "Type the name").has("Astre")
	if value[bool](w, `select calling_stopped_at is not null from organization where id = $1`, n.organization) {
		t.Fatal("stopped by a name that was mistyped")
	}
	other.post(path, form("name", "Aster")).want(http.StatusForbidden)

	live := n.newLiveCall()
	v.get(path).has("Also end the 1 call in progress")
	v.post(path, form("name", " aster ", "hang_up", "on")).leads("/settings/organization")
	v.get("/settings/organization").
		has("All calling is stopped. Ending 1 call.", "Allow calling again", "Stopped by Aster Ada")
	if !value[bool](w, `select hang_up_at is not null from call where id = $1`, live) {
		t.Error("the call in progress is not ended")
	}
	for _, page := range []string{"/", "/campaigns", "/campaigns/" + id.String(), "/calls", "/settings/api-keys"} {
		other.get(page).has("All calling is stopped", "Stopped by Aster Ada").lacks("Allow calling again")
		v.get(page).has("All calling is stopped", "Allow calling again")
	}
	v.get("/campaigns").lacks("Stop all calling</a>")
	b := w.newTenant("Borealis")
	b.as(b.admin).get("/campaigns").lacks("All calling is stopped")

	other.post("/settings/organization/allow-calling", nil).want(http.StatusForbidden)
	v.post("/settings/organization/allow-calling", nil).leads("/settings/organization")
	v.get("/settings/organization").has("Calling allowed", "Stop all calling").lacks("All calling is stopped")
}

func TestCallingLimitsForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const path = "/settings/organization/limits"
	data := form("max_concurrency", "40", "calls_per_second", "2.5", "max_daily_attempts", "3")
	for _, c := range []struct{ field, value, message string }{
		{"max_concurrency", "many", "Must be a whole number"},
		{"max_concurrency", "0", "Must be between"},
		{"calls_per_second", "0", "Must be between"},
		{"max_daily_attempts", "101", "Must be between 1 and 100"},
	} {
		v.post(path, changed(data, c.field, c.value)).wrong(c.field, c.message).has(c.value, "Save organization")
	}
	v.post(path, data).leads("/settings/organization")
	v.get("/settings/organization").has("Calling limits saved", `value="40"`, `value="2.5"`, `value="3"`)
	n.as(n.staff).get("/settings/organization").has("Calls to one number in 24 hours", "2.5").lacks("Save limits")
	v.post(path, form("max_concurrency", "", "calls_per_second", "", "max_daily_attempts", "")).
		leads("/settings/organization")
	n.as(n.staff).get("/settings/organization").has("No limit")
}
