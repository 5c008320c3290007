package web

import (
	"net/http"
	"testing"
)

// Each object with an ID in the API shows the whole ID on its page, with a button to copy
// it.
func TestIDsAreCopied(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	for path, id := range map[string]string{
		"/campaigns/":             n.newCampaign().String(),
		"/webhooks/":              n.newWebhook().ID.String(),
		"/settings/projects/":     n.project.String(),
		"/agents/":                n.agent.String(),
		"/phone-numbers/":         n.number.String(),
		"/settings/integrations/": n.connection.String(),
	} {
		v.get(path+id).want(http.StatusOK).has(`data-copy="`, ">"+id+"</span>")
	}
	v.get("/agents/" + n.agent.String()).has("ID <span") // copied text keeps them apart
	n.as(n.staff).get("/settings/organization").want(http.StatusOK).has(`data-copy="organization-id"`)
}
