package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/project"
)

// Staff read what an agent says and does, its versions and its tests, and change none of it.
func TestStaffReadAgents(t *testing.T) {
	t.Parallel()
	w := newIdleProduct(t)
	n := w.newTenant("Aster")
	reader := n.as(n.staff)
	id := n.publishedAgent().String()
	path := "/agents/" + id
	reader.get("/agents").want(http.StatusOK).has("June").lacks("New agent")
	page := reader.get(path).want(http.StatusOK).
		has("June", "Calls follow version 2", "The draft has changes", "Well?", "Bye.", "Yes or no").
		lacks("<textarea", "See you.", "Save draft")
	if !strings.Contains(page.body, path+"/versions") || !strings.Contains(page.body, path+"/tests") {
		t.Error("the page leads to no versions and tests")
	}
	reader.get(path+"/versions").want(http.StatusOK).has("Version 2", "Says goodbye").
		lacks("Publish again", "Open the draft")
	reader.get(path+"/versions/1").want(http.StatusOK).has("Version 1 of June", "Well?").lacks("Publish again")
	reader.get(path+"/tests").want(http.StatusOK).has("No test cases yet").lacks("Run tests", "New test case", ">Save<")
	run := ofTestRun("/agents/{id}/tests/runs/{run_id}")(n)
	reader.get(run).want(http.StatusOK).lacks("Cancel run")
	reader.get(ofTestRun("/agents/{id}/tests/runs/{run_id}/{attempt_id}")(n)).want(http.StatusOK)
	for _, refused := range []string{path + "/try", path + "/call", path + "/discard", path + "/tests/cases/new"} {
		reader.get(refused).want(http.StatusForbidden)
	}
	for _, refused := range []string{path, path + "/publish", path + "/tests", path + "/tests/required"} {
		reader.post(refused, form("version", "1")).want(http.StatusForbidden)
	}
	other := w.newTenant("Borealis")
	other.as(other.staff).get(path).want(http.StatusNotFound)
	other.as(other.staff).get(path + "/versions/1").want(http.StatusNotFound)
}

// The settings of a model are read by their names, and no connection shows more than that.
func TestStaffReadAModelAgent(t *testing.T) {
	t.Parallel()
	w := newIdleProduct(t)
	n := w.newTenant("Aster")
	settings := project.AgentSettings{Name: "Mona", Script: conversation.Script{
		Language: "en-US", Greeting: "Hello.",
		Questions: []conversation.Question{{Key: "ok", Ask: "Well?", Expect: conversation.YesNo}},
		Languages: []conversation.Translation{{
			Language: "es-ES", Wording: conversation.Wording{Greeting: "Hola."},
		}},
		Model: &conversation.Model{
			Instructions: "Be kind.\nBe brief.", ConnectionID: n.freshModel(),
			Tools: []conversation.ToolName{conversation.ScheduleCallback},
		},
	}}
	settings.Script.Questions[0].Asks = map[string]string{"es-ES": "¿Bien?"}
	a, err := w.app.Projects.CreateAgent(t.Context(), n.actor(), settings)
	if err != nil {
		t.Fatal(err)
	}
	n.as(n.staff).get("/agents/"+a.ID.String()).want(http.StatusOK).
		has("Language model", "Be brief.", "Schedule a callback", "Hola.", "¿Bien?", "In Spanish", "Well?",
			"Fields to collect", "Every required field has a value").lacks("Questions")
}

// A version has a page of its own, which says how it differs, and from which it is published again.
func TestPageOfAVersion(t *testing.T) {
	t.Parallel()
	w := newIdleProduct(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	path := "/agents/" + n.publishedAgent().String() + "/versions"
	v.get(path+"/2").want(http.StatusOK).
		has("Version 2 of June", "Says goodbye", "Changes from version 1", "Bye.", "No calls").lacks("Publish again")
	v.get(path+"/1").want(http.StatusOK).has("This is the first version.", "Publish again")
	v.post(strings.TrimSuffix(path, "/versions")+"/publish", form("version", "1")).leads(path)
	v.get(path + "/2").has("Publish again")
	for _, wrong := range []string{"/3", "/0", "/x", "/99999999999"} {
		v.get(path + wrong).want(http.StatusNotFound)
	}
}

// A call is labeled with the name with which its agent spoke, and leads to the version that it followed.
func TestACallKeepsTheNameOfItsAgent(t *testing.T) {
	t.Parallel()
	w := newIdleProduct(t)
	n := w.newTenant("Aster")
	agent, id := n.publishedAgent(), n.newCall()
	w.exec(`update call set agent_id = $2, agent_name = 'May', agent_version_id = (
		select id from agent_version where agent_id = $2 and number = 1) where id = $1`, id, agent)
	v := n.as(n.staff)
	page := v.get("/calls/" + id.String()).want(http.StatusOK).has("May, version 1").lacks("June")
	if !strings.Contains(page.body, "/agents/"+agent.String()+"/versions/1") {
		t.Error("the call does not lead to its version")
	}
	w.exec(`update call set agent_name = null, agent_version_id = null where id = $1`, id)
	v.get("/calls/" + id.String()).has("Agent June")
}
