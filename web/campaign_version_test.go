package web

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/project"
)

// The form of a campaign offers the versions of the chosen agent, and does not take a version of another one.
func TestACampaignChoosesAVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	agent := n.publishedAgent().String()
	v.get("/campaigns/new").want(http.StatusOK).has("Choose an agent to see its versions", "Show versions")
	asked := n.campaignForm(v, "agent_id", agent, "action", "versions")
	page := v.multi("/campaigns", asked, "", nil).want(http.StatusOK).
		has("Version 2, published", "Says goodbye", "The published version").lacks("Show versions")
	if of := page.field("agent_version.agent_id"); of != agent {
		t.Errorf("the versions are of %q", of)
	}
	chosen := changed(asked, "action", "create", "agent_version.agent_id", agent, "agent_version.version", "1")
	stale := changed(chosen, "agent_id", n.agent.String())
	v.post("/campaigns", stale).wrong("agent_version.version", "Choose again: these were versions of another agent").
		lacks("Says goodbye")
	v.post("/campaigns", changed(chosen, "agent_version.version", "x")).
		wrong("agent_version.version", "Must be a whole number")
	v.post("/campaigns", chosen).want(http.StatusSeeOther)
	if got := value[int](w, `
		select v.number from campaign c join agent_version v on v.id = c.agent_version_id where c.organization_id = $1`,
		n.organization); got != 1 {
		t.Errorf("version %d", got)
	}
}

// The form and the page of a campaign say which texts its agent lacks in its further languages.
func TestACampaignTellsMissingTranslations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	settings := project.AgentSettings{Name: "Mona", Script: conversation.Script{
		Language: "en-US", Greeting: "Hello.",
		Questions: []conversation.Question{{Key: "ok", Ask: "Well?", Expect: conversation.YesNo}},
		Languages: []conversation.Translation{{
			Language: "es-ES", Wording: conversation.Wording{Greeting: "Hola."},
		}},
		Model: &conversation.Model{Instructions: "Be kind.", ConnectionID: n.freshModel()},
	}}
	a, err := w.app.Projects.CreateAgent(t.Context(), n.actor(), settings)
	if err != nil {
		t.Fatal(err)
	}
	asked := n.campaignForm(v, "agent_id", a.ID.String(), "action", "versions")
	v.multi("/campaigns", asked, "", nil).want(http.StatusOK).
		has("Some texts are not translated", "Version 1 lacks texts in Spanish", "questions in English")
	v.multi("/campaigns", changed(asked, "action", "create"), "", nil).want(http.StatusSeeOther)
	created := "/campaigns/" + value[string](w, `select id::text from campaign where agent_id = $1`, a.ID)
	v.get(created).want(http.StatusOK).has("Some texts are not translated", "Version 1 lacks texts in Spanish")

	settings.Script.Questions[0].Asks = map[string]string{"es-ES": "¿Bien?"}
	if _, err = w.app.Projects.UpdateAgent(t.Context(), n.actor(), a.ID, settings); err == nil {
		_, err = w.app.Projects.PublishAgent(t.Context(), n.actor(), a.ID, project.Publishing{})
	}
	if err != nil {
		t.Fatal(err)
	}
	v.multi("/campaigns", asked, "", nil).want(http.StatusOK).lacks("Some texts are not translated")
	v.get(created).lacks("Some texts are not translated")
	chosen := changed(asked, "agent_version.agent_id", a.ID.String(), "agent_version.version", "1")
	v.multi("/campaigns", chosen, "", nil).want(http.StatusOK).has("Version 1 lacks texts")
}

// The forms for calls and the page of a campaign say that calls over the sandbox send no messages to real phones.
func TestSandboxCallsTellThatMessagesAreNotSent(t *testing.T) {
	t.Parallel()
	for _, simulated := range []bool{true, false} {
		w := newWorld(t, func(o *app.Options) { o.WhatsApp.Simulated = simulated })
		n := w.newTenant("Aster")
		v := n.as(n.admin)
		settings := project.AgentSettings{Name: "Mona", Script: conversation.Script{
			Language: "en-US", Greeting: "Hello.",
			Model: &conversation.Model{
				Instructions: "Be kind.", ConnectionID: n.freshModel(),
				Tools:     []conversation.ToolName{conversation.SendMessage},
				Templates: []uuid.UUID{n.newTemplate()},
			},
		}}
		a, err := w.app.Projects.CreateAgent(t.Context(), n.actor(), settings)
		if err != nil {
			t.Fatal(err)
		}
		asked := n.campaignForm(v, "agent_id", a.ID.String())
		v.multi("/campaigns", changed(asked, "action", "create"), "", nil).want(http.StatusSeeOther)
		created := "/campaigns/" + value[string](w, `select id::text from campaign where agent_id = $1`, a.ID)
		for _, page := range []*shown{
			v.multi("/campaigns", changed(asked, "action", "versions"), "", nil),
			v.get(created),
			v.post("/calls", form("agent_id", a.ID.String(), "phone_number_id", asked.Get("phone_number_id"),
				"action", "versions")),
		} {
			const said = "Calls over the sandbox send no messages"
			if page.want(http.StatusOK); simulated {
				page.lacks(said)
			} else {
				page.has("The agent sends no messages", said)
			}
		}
	}
}
