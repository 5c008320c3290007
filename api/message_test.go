package api

import (
	"fmt"
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

// A batch is queued as a whole or not at all.
func TestManyMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	w.whatsapp(nil)
	n.connect(sandbox.Account250)
	message := func(to, name string) object {
		return object{"external_id": sandbox.Number250, "to_number": to, "template": object{
			"name": "follow_up", "language": "en_US",
			"variables": object{"header.1": name, "1": name, "2": "Dr. Okafor"},
		}}
	}
	var all []object
	for i := range 1000 {
		all = append(all, message(fmt.Sprintf("+1312555%04d", i), fmt.Sprint("Ana ", i)))
	}
	made := n.do("POST", "/messages/batch", object{"messages": all}, "Idempotency-Key", "a").want(http.StatusCreated)
	rows := made.get("data").([]any)
	if len(rows) != 1000 {
		t.Fatalf("%d messages", len(rows))
	}
	for _, i := range []int{0, 1, 512, 999} {
		got := rows[i].(map[string]any)
		if got["to_number"] != fmt.Sprintf("+1312555%04d", i) || got["status"] != "queued" ||
			got["template"].(map[string]any)["variables"].(map[string]any)["1"] != fmt.Sprint("Ana ", i) {
			t.Errorf("message %d is %v", i, got)
		}
	}
	again := n.do("POST", "/messages/batch", object{"messages": all}, "Idempotency-Key", "a").want(http.StatusCreated)
	if again.body != made.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Error("the second request differs")
	}
	const entries = `select count(*) from audit_entry where action = 'message.created'`
	if w.count(`select count(*) from message`) != 1000 || w.count(entries) != 1000 {
		t.Errorf("%d messages, %d audit entries", w.count(`select count(*) from message`), w.count(entries))
	}

	w.exec(`insert into do_not_call (id, organization_id, channel, phone_number, source)
		values ($1, $2, 'message', '+13125550144', 'user')`, newID(), n.organization)
	unknown := message("+13125550145", "Ana")
	unknown["external_id"] = "nothing"
	short := message("555", "Ana")
	short["template"].(object)["variables"] = object{"header.1": "Ana", "1": "Ana"}
	n.do("POST", "/messages/batch", object{"messages": []object{message("+13125550146", "Ana"), unknown, short}}).
		refused(http.StatusBadRequest, "messages[1].external_id: no WhatsApp number with this external_id; "+
			"messages[2].to_number: not a valid phone number. Use E.164, such as +13125550142; "+
			"messages[2].template.variables.2: is missing")
	n.do("POST", "/messages/batch", object{"messages": []object{message("+13125550146", "A"),
		message("+13125550144", "B")}}).refused(http.StatusUnprocessableEntity,
		"messages[1].to_number: the recipient is on the do-not-call list for messages")
	n.do("POST", "/messages/batch", object{"messages": []object{}}).
		refused(http.StatusBadRequest, "messages: at least one is required")
	n.do("POST", "/messages/batch", object{"messages": append(all, message("+13125550146", "Ana"))}).
		want(http.StatusBadRequest)
	if got := w.count(`select count(*) from message`); got != 1000 {
		t.Errorf("%d messages", got)
	}
}
