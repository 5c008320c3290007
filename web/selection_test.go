package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
)

// undo returns the address of the undo button of a toast, which begins with path.
func (v *shown) undo(path string) string {
	v.t.Helper()
	_, rest, found := strings.Cut(v.body, `action="`+path)
	if !found {
		v.t.Fatalf("no toast has an undo at %s", path)
	}
	rest, _, _ = strings.Cut(rest, `"`)
	return path + strings.ReplaceAll(rest, "&amp;", "&")
}

// Selected entries leave the do-not-call list with a reason, those that people asked for only when that is confirmed.
// The undo brings them back as they were.
func TestEntriesAreRemovedTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	v := n.as(n.admin)
	plain, asked, erased := n.newSuppression().String(), n.newSuppression().String(), n.newSuppression().String()
	foreign := other.newSuppression().String()
	w.exec(`update do_not_call set source = 'call', created_at = '2026-03-01T10:00:00.123Z' where id = $1`, asked)
	w.exec(`update do_not_call set phone_number = null, number_hash = sha256('x'), source = 'erasure' where id = $1`,
		erased)
	before := value[string](w, `select string_agg(d::text, '' order by id) from do_not_call d`)
	const list, path = "/do-not-call?source=user", "/do-not-call/remove"
	v.get("/do-not-call").want(http.StatusOK).has(`value="`+plain+`"`, "Remove selected").
		lacks(`value="` + erased + `"`)
	n.as(n.staff).get("/do-not-call").lacks("Remove selected")
	n.as(n.staff).post(path, form("id", plain)).want(http.StatusForbidden)

	v.post(path, form("list", list)).leads(list)
	v.get("/do-not-call").has("Select at least one entry")
	ids := url.Values{"list": {list}, "id": {plain, asked, erased, foreign, "nonsense"}}
	v.post(path, ids).want(http.StatusOK).has("Remove 2 entries from the list?", "1 person asked not to be called",
		"1 entry of an erased person stays", `name="expected" value="2"`)
	send := func(pairs ...string) *shown {
		t.Helper()
		data := form(append(pairs, "confirmed", "yes", "list", list)...)
		data["id"] = ids["id"]
		return v.post(path, data)
	}
	send("expected", "2", "requested", "on").want(http.StatusUnprocessableEntity).has("Required")
	send("expected", "2", "reason", "Signed form").want(http.StatusUnprocessableEntity).
		has("Confirm that these people have changed their minds")
	send("expected", "3", "reason", "Signed form", "requested", "on").want(http.StatusUnprocessableEntity).
		has("2 entries match now")
	if got := value[string](w, `select string_agg(d::text, '' order by id) from do_not_call d`); got != before {
		t.Errorf("a refused removal changed the list: %s", got)
	}
	send("expected", "2", "reason", "Signed form", "requested", "on").leads(list)
	removed := v.get("/do-not-call").has("2 entries removed from the list").lacks(plain, asked)
	if got := w.count(`select count(*) from audit_entry where action = 'do_not_call.removed'
		and data ->> 'reason' = 'Signed form' and object_id in ($1, $2)`, plain, asked); got != 2 {
		t.Errorf("%d entries in the audit log", got)
	}

	undo := removed.undo("/do-not-call/restore?")
	other.as(other.admin).post(undo, nil).leads("/do-not-call")
	w.exec(`insert into do_not_call (id, organization_id, phone_number, source)
		select gen_random_uuid(), organization_id, phone_number, 'api' from do_not_call_removal where id = $1`, plain)
	v.post(undo, nil).leads("/do-not-call")
	v.get("/do-not-call").has("1 entry restored. 1 skipped: the number is on the list again", asked)
	w.exec(`delete from do_not_call where source = 'api'`)
	v.post(undo, nil).leads("/do-not-call")
	v.post(undo, nil).leads("/do-not-call")
	if got := value[string](w, `select string_agg(d::text, '' order by id) from do_not_call d`); got != before {
		t.Errorf("restored\n%s\nwant\n%s", got, before)
	}
	if got := w.count(`select count(*) from do_not_call_removal`); got != 0 {
		t.Errorf("%d removals are left", got)
	}

	// All that match are removed by the filter, not by IDs.
	for range 30 {
		n.newSuppression()
	}
	v.get(list).has("All 31 that match, on all pages")
	all := form("list", list, "matching", "on", "id", asked)
	v.post(path, all).want(http.StatusOK).has("Remove 31 entries from the list?").lacks("asked not to be called")
	all.Set("confirmed", "yes")
	all.Set("expected", "31")
	all.Set("reason", "Wrong file")
	v.post(path, all).leads(list)
	if got := w.count(`select count(*) from do_not_call where organization_id = $1`, n.organization); got != 2 {
		t.Errorf("%d entries are left", got)
	}
}

// Selected deliveries are resent, and all failed ones that match.
func TestDeliveriesAreResentTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	v := n.as(n.staff)
	test := n.newDelivery()
	foreign := other.newDelivery()
	w.exec(`delete from delivery_due`)
	w.exec(`update delivery set status = 'failed', attempts = 10, next_attempt_at = null`)
	for range 27 {
		event := newID()
		w.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
			values ($1, $2, 'call.completed', $1, '{}', clock())`, event, n.organization)
		w.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type, status, attempts)
			values ($1, $2, $3, $4, 'call.completed', 'failed', 10)`, newID(), n.organization, test.WebhookID, event)
	}
	page := "/webhooks/" + test.WebhookID.String()
	list := page + "?select=yes&status=failed"
	path := page + "/deliveries/resend"
	v.get(page).want(http.StatusOK).has("Select deliveries").lacks(`name="id"`)
	v.get(list).want(http.StatusOK).has("All 27 that match, on all pages", "This cannot be undone").lacks("sse-connect")
	v.post(path, form("list", list)).leads(list)
	v.get(page).has("Select at least one delivery")

	one := value[string](w, `select max(id::text) from delivery where event_type = 'call.completed'`)
	selected := url.Values{"list": {list}, "id": {one, test.ID.String(), foreign.ID.String(), newID().String()}}
	v.post(path, selected).leads(list + "#deliveries")
	v.get(page).has("Resending 2 deliveries. 2 skipped: no longer stored")
	v.post(path, selected).leads(list + "#deliveries")
	v.get(page).has("Resending 0 deliveries. 2 skipped: already being resent. 2 skipped: no longer stored")
	v.post(path, form("list", page+"?select=yes", "matching", "on")).want(http.StatusUnprocessableEntity)
	v.post(path, form("list", list, "matching", "on")).leads(list + "#deliveries")
	v.get(page).has("Resending 26 deliveries. 1 skipped: already being resent")
	if got := w.count(`select count(*) from delivery_due where manual`); got != 28 {
		t.Errorf("%d deliveries are queued", got)
	}
	if got := w.count(`select count(*) from audit_entry where action = 'webhook.deliveries_resent'
		and jsonb_array_length(data -> 'delivery_ids') = (data ->> 'deliveries')::int`); got != 2 {
		t.Errorf("%d entries in the audit log", got)
	}
}

// Deliveries that failed and wait for their next attempt are listed on their own, and resent together.
func TestRetryingDeliveriesAreResentTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	test := n.newDelivery()
	w.exec(`delete from delivery_due`)
	for attempts, kind := range map[int]string{0: "call.started", 3: "call.completed"} {
		event := newID()
		w.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
			values ($1, $2, $3, $1, '{}', clock())`, event, n.organization, kind)
		w.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type, attempts, next_attempt_at)
			values ($1, $2, $3, $4, $5, $6, clock() + interval '1 hour')`,
			newID(), n.organization, test.WebhookID, event, kind, attempts)
	}
	page := "/webhooks/" + test.WebhookID.String()
	list := page + "?select=yes&status=retrying"
	shown := v.get(list).want(http.StatusOK).has("Retrying", "3 of ")
	if rows := strings.Count(shown.body, `id="delivery-`); rows != 1 {
		t.Errorf("%d deliveries are listed as retrying", rows)
	}
	v.post(page+"/deliveries/resend", form("list", list, "matching", "on")).leads(list + "#deliveries")
	v.get(page).has("Resending 1 delivery")
	if got := w.count(`select count(*) from delivery_due q join delivery d on d.id = q.delivery_id
		where q.manual and d.attempts = 3`); got != 1 {
		t.Errorf("%d deliveries are queued", got)
	}
}

// campaignOf makes a campaign with recipients that starts tomorrow.
func (n *tenant) campaignOf(names ...string) string {
	n.w.t.Helper()
	list := &intake.List{}
	for i, name := range names {
		list.Add(intake.Recipient{
			PhoneNumber: "+1500555001" + string(rune('0'+i)), Name: name, Variables: []byte(`{"City": "Ulm"}`),
		})
	}
	id := n.newCampaign()
	_, err := n.w.app.Campaigns.Append(n.w.t.Context(), n.actor(), id, &campaign.Addition{Recipients: list})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return id.String()
}

// Selected recipients are called first, not called, or become the list of a new campaign.
func TestRecipientsAreChangedTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	v := n.as(n.admin)
	id := n.campaignOf("", "Ben", "Bea", "Cem", "Dua")
	recipient := func(name string) string {
		t.Helper()
		return value[string](w, `select id::text from recipient where name = '`+name+`'`)
	}
	other.campaignOf("", "Foreign")
	page := "/campaigns/" + id
	list, path := page+"?q=be&select=yes", page+"/recipients/selected"
	v.get(page).want(http.StatusOK).has("Select recipients", "sse-connect")
	v.get(list).want(http.StatusOK).has(`value="`+recipient("Ben")+`"`, "Done selecting").
		lacks("sse-connect", recipient("Cem"))
	n.as(n.staff).get(page).lacks("Select recipients")
	v.post(path, form("list", list, "action", "cancel")).leads(list)
	v.get(page).has("Select at least one recipient")
	v.post(path, form("list", list, "action", "burn", "id", recipient("Ben"))).want(http.StatusUnprocessableEntity)
	v.post(strings.Replace(path, id, newID().String(), 1), form("id", recipient("Ben"))).want(http.StatusNotFound)

	v.post(path, form("list", list, "action", "prioritize", "id", recipient("Cem"), "id", recipient("Foreign"))).
		leads(list + "#recipients")
	first := v.get(page).has("1 recipient called first. 1 skipped: no longer stored")
	undo := first.undo(page + "/recipients/unprioritize?")
	n.as(n.staff).post(undo, nil).want(http.StatusForbidden)
	other.as(other.admin).post(undo, nil).want(http.StatusNotFound)
	v.post(path, form("list", list, "action", "prioritize", "id", recipient("Dua"))).leads(list + "#recipients")
	v.post(undo, nil).leads(list + "#recipients")
	v.get(page).has("1 recipient no longer called first")
	if got := value[string](w, `select string_agg(name, ' ') from recipient where prioritized_at is not null`); got !=
		"Dua" {
		t.Errorf("called first: %s", got)
	}
	v.post(undo, nil).leads(list + "#recipients")
	v.get(page).has("0 recipients no longer called first", "moved back to their place")
	if got := w.count(`select count(*) from audit_entry where action = 'campaign.recipients_unprioritized'`); got != 1 {
		t.Errorf("%d entries in the audit log", got)
	}

	// A claim may have been faster: who is on a call is not called again.
	w.exec(`alter table recipient disable trigger user`)
	w.exec(`update recipient set status = 'dialing' where name = 'Bea'`)
	w.exec(`alter table recipient enable trigger user`)
	matching := form("list", list, "action", "cancel", "matching", "on")
	v.post(path, matching).want(http.StatusOK).has("Don", "call 2 recipients?", "This cannot be undone")
	if got := w.count(`select count(*) from recipient where canceled_at is not null`); got != 0 {
		t.Errorf("%d are canceled before the question was answered", got)
	}
	matching.Set("confirmed", "yes")
	v.post(path, matching).leads(list + "#recipients")
	v.get(page).has("1 recipient canceled. 1 on a call now, and not called again")
	v.post(path, matching).leads(list + "#recipients")
	v.get(page).has("0 recipients canceled. 1 on a call now, and not called again. 1 skipped: no call was left")
	if got := value[string](w, `select string_agg(name || ' ' || status, ', ' order by name) from recipient
		where canceled_at is not null`); got != "Bea dialing, Ben canceled" {
		t.Errorf("canceled: %s", got)
	}
	if got := w.count(`select canceled from campaign where id = $1`, id); got != 1 {
		t.Errorf("the campaign counts %d canceled recipients", got)
	}

	made := v.post(path, form("list", list, "action", "copy", "id", recipient("Cem"), "id", recipient("Dua"))).
		want(http.StatusOK).has(`action="/campaigns"`, "Selected recipients of Aster spring", "2 rows", "Cem", "Dua",
		"Aster spring (copy)").lacks("Ben")
	fields := made.fields()
	fields.Set("action", "create")
	fields.Set("scheduled_at", time.Now().Add(48*time.Hour).Format("2006-01-02T15:04"))
	v.post("/campaigns", fields).want(http.StatusSeeOther)
	if got := value[string](w, `select string_agg(r.name || ' ' || (r.variables ->> 'City'), ', ' order by r.id)
		from recipient r join campaign c on c.id = r.campaign_id where c.name = 'Aster spring (copy)'`); got !=
		"Cem Ulm, Dua Ulm" {
		t.Errorf("the new campaign calls %s", got)
	}
}

// Selected recipients whose calls are used up become follow-ups, once. All others are skipped, with the reason.
func TestUnreachedRecipientsAreFollowedUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Birch")
	v := n.as(n.admin)
	id := n.campaignOf("Ann", "Ben", "Cem", "Dua", "Eva", "Fay")
	call, foreign := n.newCall(), other.newCall()
	w.exec(`update call set campaign_id = $2, recipient_id = (select id from recipient where name = 'Ann'),
		outcome = 'no_answer' where id = $1`, call, id)
	w.exec(`alter table recipient disable trigger user`)
	set := func(name, sql string, args ...any) {
		t.Helper()
		w.exec(`update recipient set due_at = null, `+sql+` where name = '`+name+`'`, args...)
	}
	set("Ann", `status = 'failed', outcome = 'no_answer', attempts = 3, last_call_id = $1`, call)
	set("Ben", `status = 'completed', outcome = 'completed', attempts = 1, last_call_id = $1`, call)
	set("Cem", `status = 'expired', attempts = 0`)
	set("Dua", `status = 'failed', outcome = 'busy', attempts = 1, opted_out = true, last_call_id = $1`, call)
	set("Fay", `status = 'failed', outcome = 'busy', attempts = 1, last_call_id = $1`, foreign)
	w.exec(`alter table recipient enable trigger user`)
	page := "/campaigns/" + id
	list, path := page+"?select=yes", page+"/recipients/selected"
	all := form("list", list, "action", "follow_up", "matching", "on")
	v.get(list).has("Create follow-ups")
	v.post(path, all).want(http.StatusOK).has("Create follow-ups for 7 recipients?", "The follow-ups have no assignee",
		"This cannot be undone")
	if got := w.count(`select count(*) from follow_up`); got != 0 {
		t.Errorf("%d follow-ups before the question was answered", got)
	}
	all.Set("confirmed", "yes")
	v.post(path, all).leads(list + "#recipients")
	v.get(page).has("1 follow-up created. 1 skipped: they have one already. 2 skipped: a call is left. " +
		"2 skipped: reached, opted out or canceled. 1 skipped: never called")
	if got := value[string](w, `select kind || ': ' || reason || ', ' || created_by || ', ' || (assignee_id is null)
		from follow_up where call_id = $1 and campaign_id = $2`, call, id); got !=
		"unreached: Not reached in 3 calls. The last one was not answered, Aster Ada, true" {
		t.Errorf("the follow-up: %s", got)
	}
	if got := w.count(`select count(*) from audit_entry where action = 'follow_up.created'`); got != 1 {
		t.Errorf("%d entries in the audit log", got)
	}
	v.get("/follow-ups?kind=unreached").want(http.StatusOK).has("Not reached", "The last one was not answered")
	v.post(path, all).leads(list + "#recipients")
	v.get(page).has("0 follow-ups created. 2 skipped: they have one already")
}

// Filters of recipients and deliveries are saved for all campaigns and webhooks, without what names a person.
func TestSavedFiltersOfPartsOfPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	first, second := n.campaignOf("", "Ben"), n.campaignOf("", "Bea")
	n.newSuppression()
	hook := n.newDelivery().WebhookID.String()
	for _, c := range []struct{ list, path, anchor, query, saved, elsewhere string }{
		{
			"/campaigns/recipients", "/campaigns/" + first, "#recipients", "as=table&outcome=busy&q=Ben&status=failed",
			"outcome=busy&status=failed", "/campaigns/" + second,
		},
		{
			"/webhooks/deliveries", "/webhooks/" + hook, "#deliveries", "days=table&status=retrying", "status=retrying",
			"/webhooks/" + n.newDelivery().WebhookID.String(),
		},
		{
			"/do-not-call", "/do-not-call", "", "channel=voice&q=%2B1500&source=user", "channel=voice&source=user",
			"/do-not-call",
		},
	} {
		v.get(c.path+"?"+c.query).want(http.StatusOK).has("Save this filter", `value="`+c.list+`"`)
		v.post("/saved-filters", form("list", c.list, "path", c.path+c.anchor, "name", "My "+c.list, "query", c.query)).
			leads(c.path + "?" + c.saved + c.anchor)
		if got := value[string](w, `select query from saved_filter where list = $1`, c.list); got != c.saved {
			t.Errorf("%s: saved %q", c.list, got)
		}
		v.get(c.path+"?"+c.saved).has("Filter saved", "Delete saved filter")
		v.get(c.elsewhere).has("My "+c.list, `href="`+c.elsewhere+"?"+c.saved+c.anchor+`"`)
		n.as(n.admin).get(c.path).lacks("My " + c.list)
		id := value[string](w, `select id::text from saved_filter where list = $1`, c.list)
		v.post("/saved-filters/"+id+"/delete", form("list", c.list, "path", c.path+c.anchor)).
			leads(c.path + "?" + c.saved + c.anchor)
	}
	v.post("/saved-filters", form("list", "/do-not-call", "name", "One", "query", "q=%2B1500")).
		want(http.StatusUnprocessableEntity).has("choose a filter first. A name, a phone number")
	v.post("/saved-filters", form("list", "/calls", "path", "https://example.com/", "name", "x", "query", "tag=x")).
		leads("/calls?tag=x")
}

// Members choose the columns of calls and recipients, answers among them, each for themselves.
func TestColumnsOfLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	call := n.newCall()
	id := n.campaignOf("")
	w.exec(`update call set campaign_id = $2, recipient_id = (select id from recipient where campaign_id = $2 limit 1),
		analysis = jsonb_set(analysis, '{answers,ok}', '"Perhaps"') where id = $1`, call, id)
	w.exec(`update recipient set last_call_id = $1, external_id = 'crm-17'
		where id = (select recipient_id from call where id = $1)`, call)
	w.exec(`insert into result_day (organization_id, campaign_id, agent_id, day, kind, key, value, calls, number)
		values ($1, $2, $3, current_date, 'text', 'ok', '', 1, 0)`, n.organization, id, n.agent)
	v := n.as(n.staff)
	const back = "/calls?outcome=completed"
	v.get(back).want(http.StatusOK).has(">Conversation</th>", "Columns").lacks(">Agent</th>")
	v.post("/columns", url.Values{
		"list": {"calls"}, "back": {back}, "offered": {"agent", "conversation", "outcome"},
		"column": {"agent", "queued"},
	}).leads(back)
	v.get(back).has("Columns saved", ">Agent</th>", "Reset columns").lacks(">Conversation</th>", ">Queued</th>")
	n.as(n.admin).get(back).has(">Conversation</th>").lacks(">Agent</th>")

	// The answers to a question are a column of a campaign. They stay chosen where the form does not offer them.
	of := "/calls?campaign_id=" + id
	v.get(of).has(`value="answer:ok"`)
	answers := url.Values{"list": {"calls"}, "back": {of}, "offered": {"answer:ok"}, "column": {"answer:ok"}}
	v.post("/columns", answers).leads(of)
	v.get(of).has(">Ok</th>", ">Agent</th>")
	v.post("/columns", url.Values{"list": {"calls"}, "offered": {"agent"}}).leads("/")
	v.get(of).has(">Ok</th>").lacks(">Agent</th>")
	page := "/campaigns/" + id
	v.get(page).has(`value="answer:ok"`).lacks("crm-17")
	v.post("/columns", url.Values{
		"list": {"recipients"}, "back": {page}, "offered": {"answer:ok", "external_id"},
		"column": {"answer:ok", "external_id"},
	}).leads(page)
	v.get(page).has(">Ok</th>", "Perhaps", "crm-17")
	v.get(page+"/recipients/export").has("answers.ok", "attempts") // the file has all columns

	followUps := "/follow-ups"
	n.newFollowUp()
	v.get(followUps).want(http.StatusOK).has(">Assignee</th>", ">Due</th>").lacks(">Note</th>")
	v.post("/columns", url.Values{
		"list": {"follow_ups"}, "back": {followUps}, "offered": {"due", "note", "created_by"},
		"column": {"note", "created_by"},
	}).leads(followUps)
	v.get(followUps).has(">Note</th>", ">Created by</th>", "The call").lacks(">Due</th>")

	v.post("/columns", form("list", "calls", "action", "reset", "back", back)).leads(back)
	v.get(back).has(">Conversation</th>").lacks("Reset columns")
	v.post("/columns", form("list", "webhooks", "back", back)).want(http.StatusUnprocessableEntity)
	w.exec(`delete from membership where user_id = $1`, n.staff.id)
	if got := w.count(`select count(*) from list_columns`); got != 0 {
		t.Errorf("%d choices outlive their member", got)
	}
}

// A tag that is typed keeps the choice of all calls that match, on all pages, and Enter in its field adds it.
func TestTagOfAllCallsThatMatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	for range 28 {
		n.newCall()
	}
	w.exec(`update call set ended_at = clock() - interval '1 second' where ended_at is not null`)
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Become(w.server.URL, n.as(n.staff).client.Jar.Cookies(w.origin()))
	tab.Go(w.server.URL + "/calls?select=yes")
	tab.Click("[data-all-matching]")
	tab.WaitText("[data-selected-count]", "All 28 calls selected")
	tab.Fill("#selection [name=tag]", "VIP")
	tab.WaitText("[data-selected-count]", "All 28 calls selected")
	tab.Do("press Enter", chromedp.KeyEvent(kb.Enter))
	tab.WaitText(".toast", "28 calls tagged")
	if got := w.count(`select count(*) from call_review where tags = '{VIP}' and reviewed_at is null`); got != 28 {
		t.Errorf("%d calls have the tag, and are not reviewed", got)
	}
}

// A person works through lists in a browser: columns, selection, undo, the page of a person, a moment of a recording.
func TestJourneyOfLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	call := n.newRecordedCall().String()
	n.newFollowUp()
	n.newSuppression()
	n.newSuppression()
	id := n.campaignOf("", "Ben", "Bea")
	at := w.server.URL
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	b := n.as(n.admin)
	tab.Become(at, b.client.Jar.Cookies(w.origin()))

	look := func(name string) {
		views := browsertest.Opposites(len(name))
		if browsertest.Screenshots() != "" {
			views = browsertest.Views
		}
		for _, view := range views {
			tab.Emulate(view)
			tab.Check(name)
			tab.Screenshot(name + "-" + view.Name)
		}
		tab.Emulate(browsertest.Views[0])
	}
	tab.Go(at + "/calls")
	tab.Click("details.more:has([action='/columns']) summary")
	tab.Click("input[type=checkbox][value=agent]")
	tab.Follow("form[action='/columns'] .btn")
	tab.WaitText("thead", "Agent")
	tab.Click("details.more:has([action='/columns']) summary")
	look("calls with a chosen column")
	tab.Go(at + "/calls?select=yes")
	tab.Click("[data-check-all] input")
	tab.WaitText("[data-selected-count]", "2 calls selected")
	look("selected calls")
	tab.Follow("[value=review]")
	tab.WaitText(".toast", "2 calls marked as reviewed")
	tab.Follow(".toast form button")
	tab.WaitText(".toast", "2 calls marked as not reviewed")

	tab.Go(at + "/follow-ups")
	tab.Click("[data-check-all] input")
	tab.Follow("#selection .btn")
	tab.WaitText(".toast", "1 follow-up marked as done")
	tab.Follow(".toast form button")
	tab.WaitText(".toast", "1 follow-up reopened")

	tab.Go(at + "/do-not-call")
	tab.Click("[data-check-all] input")
	look("selected entries")
	tab.Follow("#selection .btn")
	look("removal of entries")
	tab.Fill("#reason", "Wrong file")
	tab.Follow(".btn-destroy")
	tab.WaitText(".toast", "2 entries removed")
	tab.Follow(".toast form button")
	tab.WaitText(".toast", "2 entries restored")
	tab.Follow("tbody a.link")
	tab.WaitText("h1", "+1 501")

	tab.Go(at + "/campaigns/" + id + "?select=yes")
	tab.Click("[data-check-all] input")
	look("selected recipients")
	// All that match, also on other pages, are counted, and the rows of the page are ticked. A row that is unticked
	// ends it.
	crowd := &intake.List{}
	for i := range 30 {
		crowd.Add(intake.Recipient{PhoneNumber: fmt.Sprintf("+150055502%02d", i), Variables: []byte(`{}`)})
	}
	_, err := w.app.Campaigns.Append(t.Context(), n.actor(), uuid.MustParse(id), &campaign.Addition{Recipients: crowd})
	if err != nil {
		t.Fatal(err)
	}
	ticked := func() string {
		return browsertest.Eval[string](tab, `(boxes => boxes.filter(b => b.checked).length + " of " + boxes.length)(
			[...document.querySelectorAll("tbody input[name=id]")])`)
	}
	tab.Go(at + "/campaigns/" + id + "?select=yes")
	tab.Click("[data-all-matching]")
	tab.WaitText("[data-selected-count]", "All 34 recipients selected")
	if got := ticked(); got != "25 of 25" {
		t.Errorf("%s rows are ticked", got)
	}
	look("all recipients selected")
	tab.Click("tbody input[name=id]")
	tab.WaitText("[data-selected-count]", "24 recipients selected")
	tab.Click("[data-all-matching]")
	tab.Click("[data-all-matching]")
	if got := ticked(); got != "0 of 25" {
		t.Errorf("%s rows are ticked after all were", got)
	}
	tab.Click("[data-check-all] input")
	tab.Follow("[value=cancel]")
	look("recipients to cancel")
	tab.Follow(".btn-destroy")
	tab.WaitText(".toast", "recipients canceled")

	// A link to a moment finds the player there; the time beside a turn plays from there.
	tab.Go(at + "/calls/" + call + "#turn-1")
	if got := browsertest.Eval[float64](tab, "document.querySelector('audio.player')?.currentTime ?? -1"); got < 0 {
		t.Errorf("the call has no player")
	}
	if got := browsertest.Eval[string](tab, "document.querySelector('#turn-1').dataset.at"); got != "1.2" {
		t.Errorf("the turn is at %q", got)
	}
	tab.Click("#turn-0 a.moment-plays")
	if got := browsertest.Eval[string](tab, "location.hash"); got != "#turn-0" {
		t.Errorf("the address is at %q", got)
	}
}
