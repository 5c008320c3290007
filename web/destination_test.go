package web

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
)

// An admin creates destinations, and an agent transfers calls to them.
func TestDestinationForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	v := n.as(n.admin)
	path := "/settings/destinations"
	v.get(path).want(http.StatusOK).has("No destinations yet")
	good := form("project_id", n.project.String(), "name", "Front desk", "address", "+1 312 555 0161", "mode", "warm",
		"ring_timeout_seconds", "20", "fallback_id", "", "calling_hours", "custom",
		"calling_hours.timezone", "America/Chicago", "calling_hours.windows[0].days", "mon",
		"calling_hours.windows[0].start", "09:00", "calling_hours.windows[0].end", "17:00")
	v.post(path, changed(good, "project_id", "x")).wrong("project_id", "No such project")
	v.post(path, good).want(http.StatusSeeOther)
	v.post(path, good).wrong("name", "Another destination")
	all := n.destinations(t)
	desk := all["Front desk"]
	if desk.Address() != "+13125550161" || desk.Mode != project.Warm || desk.RingTimeoutSeconds != 20 ||
		desk.Hours.Timezone != "America/Chicago" || len(desk.Hours.Windows) != 1 {
		t.Fatalf("the destination is %+v", desk)
	}
	atOffice := changed(changed(good, "name", "Office"), "address", "sip:office@example.com")
	v.post(path, changed(atOffice, "mode", "cold")).want(http.StatusSeeOther)
	office := n.destinations(t)["Office"]
	if office.Address() != "sip:office@example.com" || office.Mode != project.Cold {
		t.Fatalf("the destination is %+v", office)
	}
	one := path + "/" + desk.ID.String()
	shown := v.get(one).want(http.StatusOK)
	for _, want := range []string{`312 555 0161"`, `value="America/Chicago"`, ">Office<"} {
		if !strings.Contains(shown.body, want) {
			t.Errorf("the form of the destination lacks %s", want)
		}
	}
	v.post(one, changed(changed(good, "fallback_id", office.ID.String()), "record", "on")).want(http.StatusSeeOther)
	if d := n.destinations(t)["Front desk"]; d.FallbackID == nil || *d.FallbackID != office.ID || !d.Record {
		t.Fatalf("the destination is %+v", d)
	}
	v.get(path).want(http.StatusOK).has("Then Office", "Announced", "Connected at once", "Recorded")

	agent := agentForm()
	agent.Set("transfer.human_id", office.ID.String())
	agent.Set("questions[0].branches[0].answer", "no")
	agent.Set("questions[0].branches[0].then", "")
	v.post("/agents", agent).wrong("questions[0].branches[0].then", "Choose what follows")
	agent.Set("questions[0].branches[0].then", "destination:"+desk.ID.String())
	v.post("/agents", agent).want(http.StatusSeeOther)
	agents, err := w.app.Projects.Agents(t.Context(), n.organization, page.Request{})
	if err != nil {
		t.Fatal(err)
	}
	a := agents.Data[0]
	script := a.Script
	if script.Transfer == nil || *script.Transfer.HumanID != office.ID || len(script.Transfer.Destinations) != 2 ||
		!reflect.DeepEqual(script.Questions[0].Branches, []conversation.Branch{
			{AnswerRule: conversation.AnswerRule{Answer: new(false)}, DestinationID: &desk.ID},
		}) {
		t.Fatalf("the agent's transfers are %+v, %+v", script.Transfer, script.Questions[0].Branches)
	}
	shown = v.get("/agents/" + a.ID.String()).want(http.StatusOK)
	for _, want := range []string{
		`value="no" selected`, `value="destination:` + desk.ID.String() + `" selected`,
		"transfers the call to Front desk",
		`value="` + office.ID.String() + `" selected`,
	} {
		if !strings.Contains(shown.body, want) {
			t.Errorf("the form of the agent lacks %s", want)
		}
	}
	v.post(one+"/remove", nil).want(http.StatusConflict).has("is used by 1 agent: Nora")
	v.post(path, changed(good, "name", "Spare")).want(http.StatusSeeOther)
	spare := path + "/" + n.destinations(t)["Spare"].ID.String()
	v.get(spare + "/remove").want(http.StatusOK)
	v.post(spare+"/remove", nil).want(http.StatusSeeOther)
	if _, left := n.destinations(t)["Spare"]; left {
		t.Error("a removed destination is still active")
	}
}

// destinations are the active destinations by name.
func (n *tenant) destinations(t *testing.T) map[string]project.Destination {
	t.Helper()
	list, err := n.w.app.Projects.Destinations(t.Context(), n.organization, page.Request{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]project.Destination{}
	for _, d := range list.Data {
		all[d.Name] = d
	}
	return all
}
