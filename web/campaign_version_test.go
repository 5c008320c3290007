package web

import (
	"net/http"
	"testing"
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
