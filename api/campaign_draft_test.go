package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestDrafts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	empty := object{"draft": true, "expires_at": nil, "recipients": nil}
	made := n.do("POST", "/campaigns", n.body(empty)).want(http.StatusCreated)
	path := "/campaigns/" + made.get("id").(string)
	if made.get("status") != "draft" || len(made.get("waiting").([]any)) != 0 {
		t.Errorf("created: %s", made.body)
	}
	n.do("POST", path+"/start", nil).
		refused(http.StatusConflict, "The campaign has nobody to call. Add recipients, then start it")
	n.do("POST", path+"/pause", nil).refused(http.StatusConflict, "This campaign is a draft and cannot be paused")
	n.do("POST", path+"/recipients", object{"recipients": people(2)}).want(http.StatusCreated)
	n.do("PATCH", path, object{"name": "Ready", "scheduled_at": "2030-01-01T09:00:00Z"}).want(http.StatusOK)
	if n := w.count(`select count(*) from campaign where dial_at is not null`); n != 0 {
		t.Error("the dialer looks at a draft")
	}
	started := n.do("POST", path+"/start", nil).want(http.StatusOK)
	if started.get("status") != "scheduled" || started.get("waiting", 0, "recipients") != 2.0 ||
		w.count(`select count(*) from campaign where dial_at is not null`) != 1 {
		t.Errorf("started: %s", started.body)
	}
	n.do("POST", path+"/start", nil).refused(http.StatusConflict, "This campaign is scheduled and cannot be started")
	var log []any
	for _, entry := range n.do("GET", path+"/log", nil).data() {
		log = append(log, entry.(map[string]any)["message"])
	}
	if want := []any{
		"Draft scheduled for 2030-01-01 09:00 UTC", "Changed: name and start time", "2 more recipients added",
		"Created as a draft with 0 recipients",
	}; !sameValue(t, log, want) {
		t.Errorf("the log says %v", log)
	}
	now := n.do("POST", "/campaigns", n.body(object{"draft": true})).want(http.StatusCreated).get("id").(string)
	n.do("POST", "/campaigns/"+now+"/start", nil).want(http.StatusOK)
	if n := w.count(`select count(*) from campaign where id = $1 and dial_at <= clock()`, now); n != 1 {
		t.Error("a draft does not start now")
	}
	n.do("POST", "/campaigns", n.body(object{"expires_at": nil, "recipients": nil})).
		refused(http.StatusBadRequest, "recipients: at least one is required")
}

// A draft changes its agent, and its phone number or pool. Another campaign keeps them, and so does a draft with
// messages.
func TestADraftChangesItsParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, stranger := w.newTenant("Acme"), w.newTenant("Other")
	n.writes()
	id := n.do("POST", "/campaigns", n.body(object{
		"draft": true, "agent_version": object{"version": 1},
	})).want(http.StatusCreated).get("id").(string)
	path := "/campaigns/" + id
	agent, number := n.newAgent().String(), n.newNumber()
	pool, _ := n.newNumberPool()
	other := n.newCarrierConnection()
	w.exec(`update phone_number set connection_id = $2 where id = $1`, number, other)

	changed := n.do("PATCH", path, object{"agent_id": agent, "phone_number_id": number}).want(http.StatusOK)
	if changed.get("agent_id") != agent || changed.get("phone_number_id") != number ||
		changed.get("agent_version") != nil {
		t.Errorf("changed: %s", changed.body)
	}
	if w.count(`select count(*) from campaign where id = $1 and connection_id = $2 and agent_version_id is null`,
		id, other) != 1 {
		t.Error("the campaign does not use the connection of its number, or a version of the agent before")
	}
	if entry := n.do("GET", path+"/log", nil).data()[0].(map[string]any); entry["message"] !=
		"Changed: agent, phone number and agent version" {
		t.Errorf("the log says %v", entry["message"])
	}
	versioned := n.do("PATCH", path, object{"agent_id": n.agent, "agent_version": object{"version": 1}}).
		want(http.StatusOK)
	if versioned.get("agent_version", "version") != 1.0 {
		t.Errorf("with a version: %s", versioned.body)
	}
	// The same number of a version is another version of another agent.
	n.do("PATCH", path, object{"agent_id": agent, "agent_version": object{"version": 1}}).want(http.StatusOK)
	if w.count(`select count(*) from campaign c join agent_version v on v.id = c.agent_version_id
		where c.id = $1 and v.agent_id = c.agent_id`, id) != 1 {
		t.Error("the version is that of another agent")
	}
	pooled := n.do("PATCH", path, object{"number_pool_id": pool}).want(http.StatusOK)
	if pooled.get("number_pool_id") != pool || pooled.get("phone_number_id") != nil {
		t.Errorf("a pool: %s", pooled.body)
	}
	n.do("PATCH", path, pooled.body).want(http.StatusOK) // all of it may be sent back
	for text, body := range map[string]object{
		"agent_id: no such agent":                         {"agent_id": stranger.agent},
		"phone_number_id: no such phone number":           {"phone_number_id": stranger.number},
		"number_pool_id: no such number pool":             {"number_pool_id": newID()},
		"phone_number_id: required":                       {"number_pool_id": nil},
		"agent_id: must not be null":                      {"agent_id": nil},
		"agent_version.version: Another has no version 7": {"agent_version": object{"version": 7}},
		"number_pool_id: must not be set together with phone_number_id": {
			"number_pool_id": pool, "phone_number_id": number,
		},
	} {
		n.do("PATCH", path, body).refused(http.StatusBadRequest, text)
	}
	back := n.do("PATCH", path, object{"phone_number_id": n.number}).want(http.StatusOK)
	if back.get("number_pool_id") != nil {
		t.Errorf("a number: %s", back.body)
	}
	// The agent and the number are in use now.
	n.do("DELETE", "/agents/"+agent, nil).want(http.StatusConflict)
	n.do("DELETE", "/phone-numbers/"+number, nil).want(http.StatusNoContent)

	// The quota of the number's WhatsApp number limits the list, as it limits that of a new campaign.
	limited := n.newNumber()
	w.exec(`update phone_number set messaging_external_id = '20001' where id = $1`, limited)
	n.writtenTo("20001", 999)
	n.do("PATCH", path, object{"phone_number_id": limited}).want(http.StatusUnprocessableEntity)

	n.do("POST", path+"/start", nil).want(http.StatusOK)
	w.exec(`update call set campaign_id = $2 where id = $1`, n.newCall("+13125550142"), id)
	for field, value := range map[string]any{"agent_id": n.agent, "number_pool_id": pool} {
		refused := n.do("PATCH", path, object{field: value}).want(http.StatusConflict)
		if !strings.Contains(refused.body, field+": cannot be changed after the first call or message") {
			t.Errorf("a campaign with a call: %s", refused.body)
		}
	}
}

// The messages of a draft are checked with the campaign that they become a part of.
func TestADraftChangesItsMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.writes()
	agent := n.newAgent().String()
	sends := n.do("POST", "/campaigns", n.body(object{"draft": true})).want(http.StatusCreated).get("id").(string)
	path := "/campaigns/" + sends
	asked := func(variables object) object {
		return object{"external_id": "20001", "trigger": "no_answer", "template": object{
			"name": "missed_call", "language": "en_US", "variables": variables,
		}}
	}
	for text, value := range map[string]object{
		"messaging: no WhatsApp number with this external_id": {"external_id": "3", "trigger": "no_answer",
			"template": object{"name": "missed_call", "language": "en_US"}},
		"messaging.template.variables.1: neither the campaign nor any recipient has a value for {{surgery}}. " +
			"To set a fallback, write {{surgery|fallback}}": asked(object{"1": "{{surgery}}", "button.0.1": "x"}),
	} {
		n.do("PATCH", path, object{"messaging": value}).refused(http.StatusBadRequest, text)
	}
	wanted := asked(object{"1": "{{surgery}}", "button.0.1": "x"})
	told := n.do("PATCH", path, object{"messaging": wanted, "variables": object{"surgery": "Dr. Okafor"}}).
		want(http.StatusOK)
	if told.get("messaging", "template", "name") != "missed_call" || w.count(`select count(*) from campaign
		where id = $1 and messaging_trigger = 'no_answer' and messaging_number_id is not null`, sends) != 1 {
		t.Errorf("with messages: %s", told.body)
	}
	n.do("PATCH", path, told.body).want(http.StatusOK)                             // all of it may be sent back
	n.do("PATCH", path, object{"variables": object{}}).want(http.StatusBadRequest) // its messages need it
	n.do("PATCH", path, object{"agent_id": agent}).want(http.StatusOK)
	n.writtenTo("20001", 999)
	n.do("PATCH", path, object{"messaging": object{"trigger": "never"}}).want(http.StatusOK)
	n.do("PATCH", path, object{"messaging": wanted, "variables": object{"surgery": "Dr. Okafor"}}).
		want(http.StatusUnprocessableEntity)
	silent := n.do("PATCH", path, object{"messaging": nil}).want(http.StatusOK)
	if silent.get("messaging") != nil || w.count(`select count(*) from campaign
		where id = $1 and messaging_trigger is null and messaging_number_id is null`, sends) != 1 {
		t.Errorf("without messages: %s", silent.body)
	}
	n.do("POST", path+"/start", nil).want(http.StatusOK)
	w.exec(`delete from messaging_ledger`)
	w.exec(`update messaging_scope set recipients = 0`)
	n.do("PATCH", path, object{"messaging": wanted, "variables": object{"surgery": "Dr. Okafor"}}).want(http.StatusOK)
	// All of it may be sent back with other messages, although its start is past.
	w.exec(`update campaign set scheduled_at = clock() - interval '1 day' where id = $1`, sends)
	past := n.do("GET", path, nil).body
	n.do("PATCH", path, strings.Replace(past, `"trigger":"no_answer"`, `"trigger":"after_call"`, 1)).want(http.StatusOK)
	if w.count(`select count(*) from campaign where id = $1 and messaging_trigger = 'after_call'
		and messaging ->> 'trigger' = 'after_call'`, sends) != 1 {
		t.Error("the messages of a campaign that was sent back did not change")
	}
	w.exec(`update message set campaign_id = $2 where id = $1`, n.newMessage("+13125550142"), sends)
	n.do("PATCH", path, object{"messaging": wanted}).
		refused(http.StatusConflict, "messaging: cannot be changed after the first call or message")
}

func TestDeleteCampaign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	draft := n.do("POST", "/campaigns", n.body(object{"draft": true})).want(http.StatusCreated).get("id").(string)
	n.do("DELETE", "/campaigns/"+draft, nil).want(http.StatusNoContent)
	if n := w.count(`select count(*) from campaign`) + w.count(`select count(*) from recipient`); n != 0 {
		t.Errorf("%d rows of a deleted draft", n)
	}

	id := n.newCampaign()
	path := "/campaigns/" + id
	n.do("DELETE", path, nil).
		refused(http.StatusConflict, "This campaign is scheduled and cannot be deleted. Cancel it first")
	var called uuid.UUID
	if err := w.Pool.QueryRow(t.Context(), `select id from recipient where campaign_id = $1 order by id limit 1`, id).
		Scan(&called); err != nil {
		t.Fatal(err)
	}
	call := n.newCall("+15005550001")
	w.exec(`update call set campaign_id = $1, recipient_id = $2 where id = $3`, id, called, call)
	w.exec(`update recipient set last_call_id = $2 where id = $1`, called, call)
	n.do("POST", path+"/cancel", nil).want(http.StatusOK)
	w.exec(`update call set settled_at = null where id = $1`, call)
	n.do("DELETE", path, nil).
		refused(http.StatusConflict, "Calls of the campaign have not ended. Delete it when they have")
	w.exec(`update call set settled_at = clock() where id = $1`, call)
	n.do("DELETE", path, nil).want(http.StatusNoContent)
	for _, gone := range []string{path, path + "/log", path + "/recipients"} {
		n.do("GET", gone, nil).want(http.StatusNotFound)
	}
	n.do("POST", path+"/cancel", nil).want(http.StatusNotFound)
	n.do("DELETE", path, nil).want(http.StatusNotFound)
	if list := n.do("GET", "/campaigns", nil).data(); len(list) != 0 {
		t.Errorf("the list shows %v", list)
	}
	if n.do("GET", "/calls/"+call.String(), nil).want(http.StatusOK).get("campaign_id") != id ||
		w.count(`select count(*) from recipient`) != 1 {
		t.Error("the call or its recipient is gone, or another recipient is not")
	}
}
