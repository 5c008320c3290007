package web

import (
	"net/http"
	"testing"
)

// Whoever has to set up two-step sign-in reaches nothing else, whatever they ask for.
func TestTwoStepSignInIsRequired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b, staff := n.as(n.admin), n.as(n.staff)
	_, key := n.newKey("CRM")
	const path, setUp = "/settings/sign-in", "/profile/second-factor/new"
	rules := form("second_factor_required", "on", "session_idle_minutes", "30", "session_hours", "12",
		"session_stay_days", "30")
	staff.post(path, rules).want(http.StatusForbidden)
	wrong := form("second_factor_required", "on", "session_idle_minutes", "1", "session_hours", "x",
		"session_stay_days", "")
	b.post(path, wrong).wrong("session_hours", "Must be a whole number").wrong("session_stay_days", "Required")
	b.post(path, rules).leads(path)

	for _, person := range []*visitor{b, staff} {
		for _, page := range []string{"/", "/calls", "/profile", path, "/calls/export", "/campaigns/new"} {
			person.get(page).leads(setUp)
		}
		person.post("/profile", form("name", "Somebody Else")).leads(setUp)
		person.get("/organizations").want(http.StatusOK)
	}
	if got := value[string](w, `select name from app_user where id = $1`, n.admin.id); got != "Aster Ada" {
		t.Errorf("a form took effect: %q", got)
	}
	if status := w.api("/calls", key); status != http.StatusOK {
		t.Errorf("an API key gets %d", status)
	}

	page := b.get(setUp).want(http.StatusOK).has("Aster requires two-step sign-in", `action="/sign-out"`).
		lacks(`href="/campaigns"`, `href="/profile"`, `href="/"`, `id="palette"`)
	b.post("/profile/second-factor", form("ticket", page.field("ticket"), "code", w.code(page), "password", password)).
		want(http.StatusCreated)
	b.get(path).want(http.StatusOK).has(`href="/campaigns"`)
	staff.get(path).leads(setUp)
	staff.post("/sign-out", form()).leads("/sign-in")
}
