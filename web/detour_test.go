package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/account"
)

// back returns the page that a form leads back to, from the address of the form that makes what it lacks.
func (v *shown) back(to string) string {
	v.t.Helper()
	u, err := url.Parse(v.leadsBelow(to + "?return=").header.Get("Location"))
	if err != nil {
		v.t.Fatal(err)
	}
	return u.Query().Get("return")
}

// A form that lacks something to choose leads to making it, and comes back with what was typed.
func TestFormsMakeWhatTheyLack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`update project set deactivated_at = clock()`)
	w.exec(`update agent set deactivated_at = clock()`)
	w.exec(`update phone_number set deactivated_at = clock()`)
	w.exec(`update connection set deactivated_at = clock()`)
	b, stranger := n.as(n.admin), n.as(n.newPerson("Eve", account.Admin))
	for _, step := range []struct {
		page, path, lacks string
		typed             []string
	}{
		{"/campaigns/new", "/campaigns", "/settings/projects/new", []string{"name", "Kestrel spring"}},
		{"/campaigns/new", "/campaigns", "/agents/new", []string{"name", "Kestrel", "retry.max_attempts", "3"}},
		{"/phone-numbers/new", "/phone-numbers", "/settings/integrations/new", []string{
			"name", "Kestrel line", "phone_number", "+13125550142", "max_concurrency", "7",
		}},
		{"/phone-numbers/new", "/phone-numbers", "/settings/integrations/whatsapp/new", []string{
			"name", "Kestrel line",
		}},
		{"/agents/new", "/agents", "/settings/integrations/models/new", []string{
			"name", "Kestrel", "questions[0].ask", "Well?", "questions[0].key", "well",
		}},
		{"/agents/new", "/agents", "/settings/destinations/new", []string{"greeting", "Kestrel here."}},
		{"/settings/destinations/new", "/settings/destinations", "/settings/projects/new", []string{
			"name", "Kestrel desk", "address", "+13125550161",
		}},
	} {
		b.get(step.page).has(`name="make"`, `value="`+step.lacks+`"`)
		data := form(append(step.typed, "make", step.lacks, "return", "/")...)
		back := b.post(step.path, data).back(step.lacks)
		page := b.get(back).want(http.StatusOK)
		if !strings.HasPrefix(back, step.page+"?kept=") {
			t.Errorf("%s leads back to %s", step.page, back)
		}
		for i := 0; i < len(step.typed); i += 2 {
			page.has(step.typed[i+1])
		}
		if step.path != "/campaigns" && page.field("return") != "/" {
			t.Errorf("%s came back without its own way back", step.page)
		}
		stranger.get(back).want(http.StatusOK).lacks(step.typed[1])
	}

	// So does the form of a test case of an agent, which no other form leads to.
	cases := "/agents/" + n.freshAgent().String() + "/tests/cases"
	const model = "/settings/integrations/models/new"
	back := b.post(cases, form("name", "Kestrel", "recipient.kind", "model", "recipient.model.prompt", "A busy person",
		"checks[0].kind", "judge", "checks[0].value", "It is polite", "make", model)).back(model)
	if page := b.get(back).want(http.StatusOK).has("Kestrel", "A busy person", "It is polite"); !strings.HasPrefix(
		back, cases+"/new?kept=") || !page.ticked("recipient.kind", "model") {
		t.Errorf("a test case leads back to %s", back)
	}

	// A conversation that tries the agent, and its edit, keep the way back.
	try := b.post("/agents/try", changed(agentForm(), "action", "try", "return", "/campaigns/new?kept=1")).
		want(http.StatusOK)
	if got := try.field("return"); got != "/campaigns/new?kept=1" {
		t.Errorf("a conversation that tries an agent leads back to %q", got)
	}

	// What was made is there to choose, and the way leads back.
	made := b.post("/settings/projects", form("name", "Reminders", "time_zone", "UTC", "region", "US",
		"calling_hours", "always", "return", "/campaigns/new?kept=1"))
	made.leads("/campaigns/new?kept=1")
	b.get("/campaigns/new?kept=1").want(http.StatusOK).has("Reminders")
	b.get("/settings/projects/new?return=/campaigns").has(`name="return"`, `value="/campaigns"`)

	// Only a page of this site is a way back, and only a form that makes something a way there.
	for _, foreign := range []string{"https://evil.example", "//evil.example", "/\\evil.example"} {
		b.get("/settings/projects/new?return="+url.QueryEscape(foreign)).
			lacks(`name="return"`, `href="`+foreign, `action="`+foreign, `value="`+foreign)
		b.post("/settings/projects", form("name", "P"+url.QueryEscape(foreign), "time_zone", "UTC", "region", "US",
			"calling_hours", "always", "return", foreign)).leads("/settings/projects")
		b.post("/settings/projects", form("make", foreign+"/new")).want(http.StatusUnprocessableEntity)
	}
	b.post("/settings/projects", form("make", "/settings/members")).want(http.StatusUnprocessableEntity)
}
