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

	b.get("/calls?direction=inbound").leads(setUp)
	page := b.get(setUp).want(http.StatusOK).has("Aster requires two-step sign-in", `action="/sign-out"`).
		lacks(`href="/campaigns"`, `href="/profile"`, `href="/"`, `id="palette"`)
	b.post("/profile/second-factor", form("ticket", page.field("ticket"), "code", w.code(page), "password", password)).
		want(http.StatusCreated).has(`href="/calls?direction=inbound"`)
	b.get(path).want(http.StatusOK).has(`href="/campaigns"`)
	staff.get(path).leads(setUp)
	staff.post("/sign-out", form()).leads("/sign-in")
}

// The form of the sign-in offers no more than some organization allows. Whoever asks for more than their own
// organization allows is told.
func TestStayingSignedInIsOfferedAsAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	aster, borealis := w.newTenant("Aster"), w.newTenant("Borealis")
	allow := func(n *tenant, days string) {
		t.Helper()
		rules := form("session_idle_minutes", "30", "session_hours", "8", "session_stay_days", days)
		n.as(n.admin).post("/settings/sign-in", rules).leads("/settings/sign-in")
	}
	signIn := func(n *tenant) *shown {
		b := w.newVisitor()
		b.post("/sign-in", form("email", n.admin.email, "password", password, "remember", "yes")).leads("/")
		return b.get("/").want(http.StatusOK)
	}
	const refusal = "Aster does not let people stay signed in. You are signed out after 8 hours at most."
	page := func() *shown { return w.newVisitor().get("/sign-in").want(http.StatusOK) }
	page().has("Stay signed in for up to 30 days")
	signIn(aster).lacks("stay signed in")

	allow(aster, "0")
	page().has("Stay signed in for up to 30 days")
	signIn(aster).has(refusal)
	allow(borealis, "1")
	page().has("Stay signed in for up to 1 day")
	signIn(borealis).lacks("stay signed in")
	allow(borealis, "0")
	page().lacks("Stay signed in", "remember")
}
