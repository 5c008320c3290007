package api

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// A message is queued once, can be read, and belongs to its organization.
func TestMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	w.whatsapp(nil)
	n.connect(sandbox.Account250)
	body := object{"external_id": sandbox.Number250, "to_number": "+13125550142",
		"template": object{
			"name": "follow_up", "language": "en_US",
			"variables": object{"header.1": "Ana", "1": "Ana", "2": "Dr. Okafor"},
		}}
	first := n.do("POST", "/messages", body, "Idempotency-Key", "a").want(http.StatusCreated)
	if first.get("status") != "queued" || first.get("to_number") != "+13125550142" ||
		first.get("external_id") != sandbox.Number250 {
		t.Errorf("%v", first)
	}
	if again := n.do("POST", "/messages", body, "Idempotency-Key", "a").want(
		http.StatusCreated,
	); again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%v", again)
	}
	if got := w.count(`select count(*) from message`); got != 1 {
		t.Errorf("%d messages", got)
	}
	id := first.get("id").(string)
	if got := n.do("GET", "/messages/"+id, nil).want(http.StatusOK); got.body != first.body {
		t.Errorf("%v", got)
	}
	for query, want := range map[string]int{
		"": 1, "?status=queued": 1, "?status=sent": 0, "?to_number=" + url.QueryEscape("+13125550142"): 1,
		"?to_number=" + url.QueryEscape("+13125550143"): 0, "?campaign_id=" + newID().String(): 0,
	} {
		if got := len(n.do("GET", "/messages"+query, nil).data()); got != want {
			t.Errorf("%q: %d messages, want %d", query, got, want)
		}
	}
	other.do("GET", "/messages/"+id, nil).refused(http.StatusNotFound, "Message not found")
	// Another organization's number does not exist for this organization.
	other.do("POST", "/messages", body).
		refused(http.StatusBadRequest, "external_id: no WhatsApp number with this external_id")

	w.exec(
		`insert into do_not_call (id, organization_id, channel, phone_number, source)
			values ($1, $2, 'message', '+13125550144', 'user')`,
		newID(), n.organization,
	)
	for want, change := range map[string]object{
		"template.variables.1: must be a string; template.variables.2: must be a string": {
			"template": object{
				"name": "follow_up", "language": "en_US", "variables": object{"header.1": "Ana", "1": 1, "2": nil},
			}},
		"template.variables: must be an object": {
			"template": object{"name": "follow_up", "language": "en_US", "variables": []int{1}},
		},
		"to_number: not a valid phone number. Use E.164, such as +13125550142": {"to_number": "555"},
		"template: no template with this name and language": {
			"template": object{"name": "follow_up", "language": "xx"},
		},
		"template: is paused": {"template": object{"name": "winter_offer", "language": "en_US"}},
		"template.variables.1: is missing; template.variables.2: is missing; template.variables.name: the template " +
			"has no such variable": {
			"template": object{
				"name": "follow_up", "language": "en_US", "variables": object{"header.1": "Ana", "name": "Ana"},
			}},
	} {
		wrong := object{}
		for k, v := range body {
			wrong[k] = v
		}
		for k, v := range change {
			wrong[k] = v
		}
		n.do("POST", "/messages", wrong).refused(http.StatusBadRequest, want)
	}
	body["to_number"] = "+13125550144"
	n.do("POST", "/messages", body).
		refused(http.StatusUnprocessableEntity, "The recipient is on the do-not-call list for messages")
}
