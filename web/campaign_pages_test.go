package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// withList adds many recipients of two states and three outcomes to a campaign.
func (n *tenant) withList(id fmt.Stringer, people int) {
	n.w.t.Helper()
	n.w.exec(`insert into recipient (id, organization_id, campaign_id, phone_number, name, external_id, zone_source,
		status, outcome)
		select ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, $1, $2, '+1500' || lpad(i::text, 7,
			'0'), 'Recipient ' || i, 'row-' || i, 'number',
			case when i % 2 = 0 then 'failed' else 'completed' end, case when i % 2 = 1 then 'completed'
				when i % 4 = 0 then 'busy' else 'no_answer' end
		from generate_series(1, $3) i`, n.organization, id, people)
	n.w.exec(`update campaign set total = total + $2, completed = $2 / 2, failed = $2 / 2 where id = $1`, id, people)
}

func TestRecipientsAreFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	id := n.newCampaign()
	n.withList(id, 1000)
	path := "/campaigns/" + id.String()
	for query, want := range map[string][]string{
		"q=%2B1+500+000-0042":                 {"Recipient 42"},
		"q=row-77":                            {"Recipient 77"},
		"q=recipient+99&status=failed":        {"Recipient 998", "Recipient 990"},
		"q=recipient+99&outcome=no_answer":    {"Recipient 998", "Recipient 994", "Recipient 990"},
		"outcome=busy&status=completed":       {"No recipient matches"},
		"q=nobody":                            {"No recipient matches", "Clear filters"},
		"outcome=busy":                        {"Recipient 4", "Recipient 100"},
		"status=failed&outcome=busy&as=table": {"Recipient 4"},
	} {
		page := v.get(path + "?" + query).want(http.StatusOK).has(want...)
		if strings.Contains(query, "q=%2B1") || strings.Contains(query, "row-77") {
			if rows := strings.Count(page.words(), "Recipient "); rows > 4 {
				// The head of the table and the filter of intents have the word once.
				t.Errorf("%s: %d rows", query, rows)
			}
		}
	}
	// The links of tabs and pages keep the filters, and the search field keeps its text.
	page := v.get(path + "?outcome=busy&q=recipient").want(http.StatusOK)
	if page.field("q") != "recipient" {
		t.Errorf("the search is %q", page.field("q"))
	}
	if later := pathOf(t, page, "Later"); !strings.Contains(later, "outcome=busy") ||
		!strings.Contains(later, "q=recipient") {
		t.Errorf("the later ones are at %s", later)
	}
	if tab := pathOf(t, page, "Failed 500"); tab != path+"?outcome=busy&q=recipient&status=failed#recipients" {
		t.Errorf("those that failed are at %s", tab)
	}
	v.get(path + "?outcome=asleep").want(http.StatusUnprocessableEntity)
}

// The state of a recipient shows how the last call ended, in the same words as the list
// of calls.
func TestRecipientsSayHowTheirCallEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCampaign()
	n.withList(id, 5) // recipients with odd numbers completed
	for i, ended := range []struct{ outcome, reason string }{
		{"voicemail", "voicemail_message_left"}, {"completed", "recipient_hung_up"}, {"completed", "opted_out"},
	} {
		made := n.newCall()
		w.exec(`update call set outcome = $2, ended_reason = $3, status = 'completed',
			answered_at = '2026-11-21T09:00:07.25Z', started_at = '2026-11-21T09:00:00Z',
			ended_at = '2026-11-21T09:00:49.9Z' where id = $1`, made, ended.outcome, ended.reason)
		w.exec(`update recipient set outcome = $3, last_call_id = $2, opted_out = $4 = 'opted_out'
			where name = 'Recipient ' || $1::int`,
			2*i+1, made, ended.outcome, ended.reason)
	}
	w.exec(`update campaign set completed = 3, completed_by_voicemail = 1 where id = $1`, id)
	v, path := n.as(n.staff), "/campaigns/"+id.String()
	// A message on voicemail is no conversation, so the tabs and the bar count it by itself.
	v.get(path+"?status=completed").want(http.StatusOK).has("Recipient 3", "Recipient 5").lacks("Recipient 1")
	v.get(path+"?status=voicemail").want(http.StatusOK).
		has("Recipient 1", "Completed 2", "Voicemail 1", "Voicemail, message left 1",
			"Failed, not called again 2").
		lacks("Recipient 3", "Recipient 5")
	v.get(path + "/recipients/export?status=voicemail").want(http.StatusOK).has("Recipient 1").lacks("Recipient 3")
	v.get(path).want(http.StatusOK).
		has("Recipient 1", "Voicemail, message left", "Recipient 3", "Completed, hung up early", "Recipient 5",
			"Asked not to be called")
	v.get("/calls").has("Voicemail, message left", "Completed, hung up early", "Completed, asked not to be called")
	v.get(path+"?outcome=opted_out&status=completed").want(http.StatusOK).has("Recipient 5").
		lacks("Recipient 1", "Recipient 3")
	file := v.get(path+"/recipients/export?outcome=opted_out").want(http.StatusOK).has("opted_out", "Recipient 5")
	file.lacks("Recipient 1", "Recipient 3").
		has("last_call_id,last_call_at,talk_seconds,", ",2026-11-21T09:00:00.000Z,42,")
}

func TestCampaignLogPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	admin, v := n.as(n.admin), n.as(n.staff)
	id := n.newCampaign()
	path := "/campaigns/" + id.String()
	admin.post(path+"/pause", nil).leads(path)
	v.get(path).has("Created with 1 recipient, scheduled for", "Paused. Calls in progress continue", "Aster Ada",
		"All entries")
	live := v.listen(path + "/log/events")
	live.next("log", "Paused", "Aster Ada")
	admin.post(path+"/resume", nil).leads(path)
	live.next("log", "Resumed", "Paused")
	w.exec(`insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name, data,
		created_at)
		select gen_random_uuid(), $1, $2, 'dialing', 'system', 'Dialwright', '{}', clock() - i * interval '1 hour'
			from generate_series(1, 30) i`, n.organization, id)
	first := v.get(path+"/log").want(http.StatusOK).has("Resumed", "Dialing continues", "Dialer")
	v.get(pathOf(t, first, "Older")).want(http.StatusOK).has("Dialing continues", "Newest").lacks("Resumed")
	v.get(path + "/log?cursor=nonsense").want(http.StatusUnprocessableEntity)
}

func TestComplianceOnTheCampaignPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCampaign()
	path := "/campaigns/" + id.String()
	n.as(n.staff).get(path).has("Nobody has been called yet.", "Compliance", "The agent has no disclosure of its own").
		lacks("Write one", "Abandoned", "View as table")
	w.exec(`update connection set kind = 'twilio'`)
	w.exec(
		`update campaign set calls_placed = 400, calls_answered = 200, answered_by_person = 100, opted_out = 7,
			abandoned = 3, short_calls = 30 where id = $1`,
		id,
	)
	w.exec(`update agent set published_version_id = null, script = script || '{"disclosure": "Press 9 at any time."}'`)
	n.as(n.admin).get(path).has("Opted out", "7", "7.0%", "Abandoned", "3", "3.0%", "Short calls", "30", "15.0%").
		lacks("no disclosure of its own")
	w.exec(`update organization set abandoned_most = 2.5 where id = $1`, n.organization)
	w.exec(`
		insert into campaign_answer_hour select id, organization_id, clock(), 80, 1 from campaign where id = $1`, id)
	n.as(n.staff).get(path).has(
		"Last 30 days: 1 of 80 (1.25%). The campaign is paused above 2.5%, from 100 answered calls.")
	w.exec(`update connection set kind = 'sandbox'`)
	n.as(n.admin).get(path).has("Short calls", "Not measured on the sandbox", "Abandoned", "3.0%").lacks("15.0%")
}

// While calls run, a share on the page of a campaign is one of the calls that have ended, as on every other page.
func TestSharesOfACampaignAreOfItsEndedCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id := n.newCampaign()
	path := "/campaigns/" + id.String()
	v := n.as(n.staff)
	live := n.newLiveCall()
	w.exec(`update call set campaign_id = $2 where id = $1`, live, id)
	w.exec(`update campaign set status = 'running' where id = $1`, id)
	v.get(path).has("No call has ended yet.", "1 call in progress").
		lacks("Nobody has been called yet.", "View as table", "0 calls ended")

	w.exec(`update campaign set calls_placed = 3, calls_answered = 2, outcomes = '{"completed": 2, "no_answer": 1}'
		where id = $1`, id)
	for _, address := range []string{path, path + "?as=table"} {
		v.get(address).has("66.7%", "33.3%", "3 calls ended, 2 answered", "1 call in progress").lacks("50.0%", "25.0%")
	}
	v.listen(path+"/events").next("campaign", "66.7%", "3 calls ended, 2 answered", "1 call in progress")
}

func TestCampaignList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	other.newCampaign()
	v := n.as(n.staff)
	for range 30 {
		n.newCampaign()
	}
	w.exec(
		`update campaign set name = 'Autumn flu' where id = (select max(id::text)::uuid from campaign
			where organization_id = $1)`,
		n.organization,
	)
	v.get("/campaigns?q=FLU").want(http.StatusOK).has("Autumn flu").lacks("Aster spring")
	v.get("/campaigns?q=winter").has("No campaign name contains “winter”", "Clear filters").lacks("No campaigns yet")
	page := v.get("/campaigns?q=spring&status=scheduled").has("Aster spring")
	if older := pathOf(t, page, "Older"); !strings.Contains(older, "q=spring") ||
		!strings.Contains(older, "status=scheduled") || strings.Contains(older, "events") {
		t.Errorf("the older ones are at %s", older)
	}
	if tab := pathOf(t, page, "Paused"); tab != "/campaigns?q=spring&status=paused" {
		t.Errorf("the paused ones are at %s", tab)
	}
	live := v.listen("/campaigns/events?q=spring")
	if event := live.next("campaigns", "Aster spring"); strings.Contains(event.data, "/campaigns/events") ||
		strings.Contains(event.data, "Autumn") {
		t.Errorf("the live part has %s", event.data)
	}
	w.exec(`update campaign set completed = total where organization_id = $1`, n.organization)
	live.next("campaigns", "1 of 1")
}

// The pages of a recipient and of a call show the legal basis of the call.
func TestConsentIsShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	id, made := n.newCampaign(), n.newCall()
	w.exec(
		`update recipient set consent_basis = 'web form', consent_at = '2026-03-01T12:00:00Z' where campaign_id = $1`,
		id,
	)
	w.exec(`update call set consent_basis = 'web form', consent_at = '2026-03-01T12:00:00Z' where id = $1`, made)
	v := n.as(n.staff)
	v.get("/campaigns/" + id.String()).want(http.StatusOK).has("Consent: Web form, given 1 Mar 2026")
	v.get("/calls/"+made.String()).want(http.StatusOK).has("Consent", "Web form, given 1 Mar 2026")
}

func TestRecipientsAreCanceledAndCalledFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	first := recipientPath("")(n)
	campaign, _, _ := strings.Cut(first, "/recipients/")
	n.as(n.staff).get(campaign).want(http.StatusOK).lacks("Call first", "Don't call")
	v := n.as(n.admin)
	v.get(campaign).want(http.StatusOK).has("Call first", "Don't call")
	v.post(first+"/prioritize", nil).want(http.StatusSeeOther)
	v.get(campaign).want(http.StatusOK).has("called first", "Don't call").lacks("Call first")
	v.get(first+"/cancel").want(http.StatusOK).has("Don't call Aster Olu?", "This cannot be undone")
	v.post(first+"/cancel", nil).want(http.StatusSeeOther)
	v.get(campaign).want(http.StatusOK).has("Canceled", "Completed").lacks("Don't call")
	v.post(first+"/cancel", nil).want(http.StatusConflict).
		has("This recipient is canceled and can no longer be canceled")
	v.get(campaign + "/recipients/x/cancel").want(http.StatusNotFound)
}

func TestTheUnreachedAreCalledAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	path := "/campaigns/" + n.newCampaign().String()
	v := n.as(n.admin)
	v.get(path).want(http.StatusOK).lacks("Call the unreached again")
	path = "/campaigns/" + n.canceledCampaign().String()
	v.get(path).want(http.StatusOK).has("Call the unreached again")
	n.as(n.staff).get(path).want(http.StatusOK).lacks("Call the unreached again")
	question := v.get(path+"/retry").want(http.StatusOK).has("Call 1 recipient again?", "btn-primary").
		lacks("btn-destroy")
	form := url.Values{"id": {question.field("id")}}
	for range 2 { // sent twice
		v.post(path+"/retry", form).want(http.StatusSeeOther)
	}
	if n := w.count(`select count(*) from campaign where retry_of_campaign_id is not null`); n != 1 {
		t.Errorf("%d campaigns", n)
	}
	v.get("/campaigns/"+question.field("id")).want(http.StatusOK).
		has("Aster spring (retry)", "Draft", "Retry of", "Aster Olu", "Start")
	v.get(path+"/retry").want(http.StatusOK).
		has("These recipients are already in Aster spring (retry)", "which has not ended.", "Create draft")
	w.exec(`update recipient set opted_out = true`)
	v.get(path + "/retry").want(http.StatusOK).has("Nobody is left to call again").lacks("Create draft")
}
