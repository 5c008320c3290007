package web

import (
	"html"
	"net/http"
	"regexp"
	"testing"
)

var revisionField = regexp.MustCompile(`name="revision" value="([^"]+)"`)

// revision returns what the form of a page says that it was when it was opened.
func (v *shown) revision() string {
	v.t.Helper()
	found := revisionField.FindStringSubmatch(v.body)
	if found == nil {
		v.t.Fatalf("%s: a form without a revision", v.what)
	}
	return html.UnescapeString(found[1])
}

// Two tabs on one agent lose nothing: the later save is refused, keeps what was typed and says what the other saved.
func TestTwoTabsOnOneAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.post("/agents", agentForm())
	path := "/agents/" + idOf(w, "agent", "name", "Nora").String()
	opened := changed(agentForm(), "revision", v.get(path).revision())
	first, second := changed(opened, "greeting", "Good morning."), changed(opened, "disclosure", "I am a machine.")
	v.post(path, first).leads(path)
	v.post(path, first).leads(path) // sent twice
	refused := v.post(path, second).want(http.StatusUnprocessableEntity)
	refused.has("Changes were saved after you opened this form", "Was changed to “Good morning.” meanwhile",
		"I am a machine.").
		wrong("greeting", "Was changed to “Good morning.” meanwhile")
	if got := value[string](w, `select script ->> 'greeting' from agent where name = 'Nora'`); got != "Good morning." {
		t.Errorf("the greeting is %q", got)
	}
	merged := changed(second, "greeting", "Good morning.")
	v.post(path, merged).leads(path) // says the same as the other in what both changed
	got := value[string](w, `
		select concat(script ->> 'greeting', script ->> 'disclosure') from agent where name = 'Nora'`)
	if got != "Good morning.I am a machine." {
		t.Errorf("saved %q", got)
	}
	// Who has seen it may replace it.
	refused = v.post(path, changed(opened, "greeting", "Hi.")).want(http.StatusUnprocessableEntity)
	v.post(path, changed(opened, "greeting", "Hi.", "revision", refused.revision())).leads(path)
	if got := value[string](w, `select script ->> 'greeting' from agent where name = 'Nora'`); got != "Hi." {
		t.Errorf("the greeting is %q", got)
	}
}

// The same holds for the forms of the organization.
func TestTwoTabsOnOneOrganization(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const path = "/settings/organization"
	all := revisionField.FindAllStringSubmatch(v.get(path).body, -1)
	if len(all) != 2 {
		t.Fatalf("%d forms with a revision", len(all))
	}
	opened := form("name", "Aster", "time_zone", "UTC", "region", "US", "revision", html.UnescapeString(all[0][1]))
	v.post(path, changed(opened, "region", "CA")).leads(path)
	v.post(path, changed(opened, "name", "Birch")).want(http.StatusUnprocessableEntity).has("Birch").
		wrong("region", "Was changed to “CA” meanwhile")
	limits := form("max_concurrency", "", "calls_per_second", "", "max_daily_attempts", "",
		"revision", html.UnescapeString(all[1][1]))
	v.post(path+"/limits", changed(limits, "max_concurrency", "5")).leads(path)
	v.post(path+"/limits", changed(limits, "max_daily_attempts", "3")).want(http.StatusUnprocessableEntity).
		wrong("max_concurrency", "Was changed to 5 meanwhile")
	if n := w.count(`select count(*) from organization where region = 'CA' and max_concurrency = 5
		and max_daily_attempts is null`); n != 1 {
		t.Error("a refused form was saved")
	}
}

// An agent that is scripted for a while gets its model back as it was.
func TestModelIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	n.freshModel()
	second := n.freshModel().String()
	held := changed(agentForm(), "kind", "model", "model.instructions", "Ask about the visit.",
		"model.connection_id", second)
	v.post("/agents", held)
	path := "/agents/" + idOf(w, "agent", "name", "Nora").String()
	// What was typed last is kept.
	v.post(path, changed(held, "kind", "scripted", "model.instructions", "Ask about the day.")).leads(path)
	if n := w.count(`select count(*) from agent
		where name = 'Nora' and kind = 'scripted' and not script ? 'model'`); n != 1 {
		t.Error("the agent is not scripted")
	}
	v.get(path).has("Ask about the day.")
	// A scripted form without a model changes nothing of it.
	v.post(path, changed(agentForm(), "kind", "scripted", "greeting", "Hi.")).leads(path)
	shown := v.get(path).has("Ask about the day.")
	if !shown.ticked("model.connection_id", second) {
		t.Error("another connection is chosen")
	}
}
