package web

import (
	"net/http"
	"testing"
)

// A step is done when calls can really follow from it. Until then, it says what is missing and leads to it.
func TestFirstStepsCountWhatCanCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	agent := "/agents/" + n.agent.String()
	v.get("/").want(http.StatusOK).has("No campaigns yet", `href="/campaigns/new"`).lacks("It has no questions yet")
	w.exec(`alter table agent_version disable trigger user`)
	w.exec(`update agent_version set script = jsonb_set(script, '{questions}', '[]')`)
	v.get("/").has("Its questions are not published yet", `href="`+agent+`?return=%2F"`, "Edit agent")
	w.exec(`update agent set script = jsonb_set(script, '{questions}', '[]')`)
	v.get("/").has("It has no questions yet", "Edit agent")
	v.get(agent + "?return=%2F").want(http.StatusOK).has(`name="return" value="/"`)
	w.exec(`update agent set script = jsonb_set(script, '{questions}', $2) where id = $1`, n.freshAgent(),
		`[{"key": "coming", "ask": "Are you coming?", "expect": "yes_no"}]`) // one that can hold a conversation
	v.get("/").lacks("Edit agent")

	draft := v.multi("/campaigns", n.campaignForm(v, "action", "draft", "recipients", ""), "", nil).
		leadsBelow("/campaigns/").header.Get("Location")
	v.get("/").has("No calls yet", "The draft “Wellness” has no recipients yet",
		`href="`+draft+`/recipients/new"`, "Add recipients").lacks("Upload a CSV or paste")
	v.multi(draft+"/recipients", form("recipients", "+15005550001", "action", "add"), "", nil).leads(draft)
	v.get("/").has("The draft “Wellness” has 1 recipient. Start it to call them", `href="`+draft+`"`, "Open draft")
	v.post(draft+"/start", nil).leads(draft)
	v.get("/").lacks("First campaign").has("Wellness")
}

// A draft without recipients offers to add some, and a start that is refused leads back to the page of the campaign.
func TestStartOfADraftWithoutRecipients(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	draft := v.multi("/campaigns", n.campaignForm(v, "action", "draft", "recipients", ""), "", nil).
		leadsBelow("/campaigns/").header.Get("Location")
	page := v.get(draft).want(http.StatusOK).has("Draft saved without recipients. Add recipients, then start it",
		"No recipients yet", "Add recipients, then start the campaign").lacks(draft + "/start")
	if got := pathOf(t, page, "Add recipients"); got != draft+"/recipients/new" {
		t.Errorf("“Add recipients” leads to %s", got)
	}
	v.post(draft+"/start", nil).want(http.StatusUnprocessableEntity).
		has("The campaign has nobody to call. Add recipients, then start it.", "Wellness", `role="alert"`,
			draft+"/recipients/new").lacks("Go back", "sse-connect")
	n.as(n.staff).get(draft).want(http.StatusOK).has("No recipients yet").lacks("/recipients/new")

	w.exec(`insert into do_not_call (id, organization_id, channel, phone_number, source)
		values ($1, $2, 'voice', '+15005550001', 'user')`, newID(), n.organization)
	v.multi(draft+"/recipients", form("recipients", "+15005550001", "action", "add"), "", nil).leads(draft)
	v.get(draft).has("1 recipient", "Nobody in this list can be called").lacks(draft + "/start")
	v.multi(draft+"/recipients", form("recipients", "+15005550002", "action", "add"), "", nil).leads(draft)
	v.get(draft).has("2 recipients", "Nobody is called until you start the campaign", draft+"/start")
	v.post(draft+"/start", nil).leads(draft)
	v.post(draft+"/start", nil).want(http.StatusUnprocessableEntity).has("and cannot be started.", "Wellness")
}
