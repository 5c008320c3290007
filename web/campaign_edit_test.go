package web

import (
	"net/http"
	"strings"
	"testing"

	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// A draft begins without recipients. Its settings change, and so do those of a campaign that runs, as far as its calls
// stay alike.
func TestCampaignIsEdited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	draft := b.multi("/campaigns", n.campaignForm(b, "action", "draft", "recipients", ""), "", nil).
		leadsBelow("/campaigns/").header.Get("Location")
	b.get(draft).has("Draft saved", "Add recipients", "Draft")
	other := n.freshAgent()
	page := b.get(draft+"/edit").has("Agent", "Call from", "Leave empty to start it yourself")
	b.post(draft+"/edit", changed(page.fields(), "agent_id", other.String(), "name", "Autumn")).leads(draft)
	if got := value[string](w, `select concat_ws(' ', name, status, agent_id = $1, total) from campaign`,
		other); got != "Autumn draft t 0" {
		t.Errorf("the draft is %s", got)
	}

	// The messages change until the first call.
	n.newWhatsApp()
	w.exec(`update phone_number set messaging_external_id = $1 where id = $2`, whatsapp.Number250, n.number)
	messages := changed(b.get(draft+"/edit").has("When to send a template").fields(), "messaging.trigger", "after_call",
		"messaging.template", "follow_up/en_US")
	b.post(draft+"/edit", messages).wrong("messaging.template.variables.1", "Is missing")
	b.post(draft+"/edit", changed(messages, "action", "template")).want(http.StatusOK).has("Thank you, {{1}}")
	b.post(draft+"/edit", changed(messages, "messaging.template.variables.header.1", "a",
		"messaging.template.variables.1", "b", "messaging.template.variables.2", "c")).leads(draft)
	same := b.get(draft+"/edit").has(`name="messaging.template.variables.1"`, `value="b"`).fields()
	b.post(draft+"/edit", changed(same, "name", "Autumn again")).leads(draft)
	if got := value[string](w, `select concat_ws(' ', name, messaging->>'trigger', messaging->'template'->>'name')
		from campaign`); got != "Autumn again after_call follow_up" {
		t.Errorf("the draft is %s", got)
	}
	b.post(draft+"/edit", changed(same, "messaging.trigger", "")).want(http.StatusUnprocessableEntity)
	b.post(draft+"/edit", changed(b.get(draft+"/edit").fields(), "messaging.trigger", "")).leads(draft)

	path := "/campaigns/" + n.newCampaign().String()
	b.get(path+"/edit").has("messaging.trigger", "Nobody has been called yet")
	b.get(path).has(`href="` + path + `/edit"`)
	form := b.get(path+"/edit").want(http.StatusOK).
		has("Call reason", "Leave empty to start now", "Voicemail", `name="agent_id"`, "Call from").
		fields()
	b.post(path+"/edit", form).leads(path)
	if got := w.count(`select count(*) from audit_entry where action = 'campaign.updated'`); got != 4 {
		t.Errorf("%d changes after a form that was sent as it was shown, want those of the draft", got)
	}
	b.post(path+"/edit", changed(form, "max_concurrency", "3", "call_reason", "Your visit",
		"expires_at", "2030-01-01T18:00")).leads(path)
	b.get(path).has("Campaign changed", "simultaneous calls", "Your visit")
	// The first form is out of date now.
	b.post(path+"/edit", changed(form, "max_concurrency", "4")).want(http.StatusUnprocessableEntity).
		has("This campaign was changed meanwhile")
	b.post(path+"/edit", changed(b.get(path+"/edit").fields(), "max_concurrency", "0", "retry.delays_minutes", "x")).
		wrong("retry.delays_minutes", "Must be whole minutes")

	w.exec(`update campaign set status = 'running', started_at = clock() where name = 'Aster spring'`)
	// It waits for its calling hours, so its agent still changes. It does no more once somebody was called.
	open := b.get(path+"/edit").has("Nobody has been called yet", `name="call_reason"`).lacks(`name="scheduled_at"`).
		fields()
	b.post(path+"/edit", changed(open, "agent_id", other.String())).leads(path)
	if n := w.count(`select count(*) from campaign where name = 'Aster spring' and agent_id = $1`, other); n != 1 {
		t.Error("the agent of a campaign without calls did not change")
	}
	b.get(path).has("Changed: agent")
	open = b.get(path + "/edit").fields()
	w.exec(`update call set campaign_id = $2 where id = $1`, n.newCall(), strings.TrimPrefix(path, "/campaigns/"))
	late := b.post(path+"/edit", changed(open, "agent_id", n.agent.String(), "max_concurrency", "6")).
		want(http.StatusUnprocessableEntity).has("called or written to people since you opened this page").
		lacks(`name="agent_id"`)
	if got := late.fields().Get("max_concurrency"); got != "6" {
		t.Errorf("the form lost what was typed: %s simultaneous calls", got)
	}
	form = b.get(path+"/edit").has("The campaign has called or written to people").
		lacks(`name="call_reason"`, `name="scheduled_at"`, `name="agent_id"`, "messaging.trigger").fields()
	b.post(path+"/edit", changed(form, "max_concurrency", "5", "voicemail_action", "leave_message",
		"call_reason", "Another")).leads(path)
	if got := value[string](w, `
		select concat_ws(' ', max_concurrency, voicemail_action, call_reason, expires_at at time zone 'America/Chicago')
		from campaign where name = 'Aster spring'`); got != "5 hang_up Your visit 2030-01-01 18:00:00" {
		t.Errorf("the running campaign is %s", got)
	}
	w.exec(`update campaign set status = 'completed', ended_at = clock(), ended_reason = 'completed'
		where name = 'Aster spring'`)
	b.get(path + "/edit").want(http.StatusConflict).has("Duplicate it instead")
	b.get(path + "/cancel").want(http.StatusConflict).has("This campaign is completed and cannot be canceled")
	if page := b.get(path).body; strings.Contains(page, path+"/edit") {
		t.Error("an ended campaign offers to edit it")
	}
}

// The next step is in reach before there is a list, and the summary names the steps that are done.
func TestCampaignFormInSteps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	page := b.get("/campaigns/new").has("Steps of the form", "Campaign , to do", "Recipients , to do",
		"Calling hours , done", "Save as draft")
	if got := strings.Count(page.body, "Check the list"); got != 3 {
		t.Errorf("the check of the list is offered %d times, want beside the list, in the summary and at the foot", got)
	}
	b.multi("/campaigns", n.campaignForm(b, "action", "check"), "", nil).
		has("Campaign , done", "Recipients , done", "Start 2 calls")
	b.multi("/campaigns", n.campaignForm(b, "name", ""), "", nil).want(http.StatusUnprocessableEntity).
		has("Campaign , 1 problem")
}
