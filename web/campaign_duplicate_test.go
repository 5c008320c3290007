package web

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/check"
)

// A copy has every setting of the campaign, including settings that only the API can
// change, but neither its list nor its times.
func TestCampaignIsDuplicated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	v := n.as(n.admin)
	path := v.multi("/campaigns", n.campaignForm(v, "name", "Everything", "call_reason", "Your visit on Monday",
		"calling_hours", "custom", "calling_hours.clock", "zone", "calling_hours.timezone", "America/Denver",
		"calling_hours.windows[0].days", "sat", "calling_hours.windows[0].start", "10:00",
		"calling_hours.windows[0].end", "13:00",
		"retry.max_attempts", "3", "retry.delays_minutes", "15, 240", "retry.on", "voicemail",
		"retry.outcome_delays_minutes.voicemail", "1440", "max_concurrency", "7", "calls_per_second", "0.5",
		"intents.wants_human", "retry",
		"voicemail_action", "leave_message", "ring_timeout_seconds", "45", "max_duration_seconds", "300",
		"detection.mode", "off"), "", nil).
		want(http.StatusSeeOther).header.Get("Location")
	id := strings.TrimPrefix(path, "/campaigns/")
	w.exec(
		`update campaign set expires_at = scheduled_at + interval '3 days', variables = '{"clinic": "North"}',
			metadata = '{"crm": 7}' where id = $1`,
		id,
	)

	page := v.get(pathOf(t, v.get(path), "Duplicate")).want(http.StatusOK)
	for name, want := range map[string]string{
		"name": "Everything (copy)", "call_reason": "Your visit on Monday", "from": id,
		"scheduled_at": "", "expires_at": "",
		"calling_hours.timezone": "America/Denver", "calling_hours.windows[0].start": "10:00",
		"calling_hours.windows[0].end": "13:00",
		"retry.max_attempts":           "3", "retry.delays_minutes": "15, 240",
		"retry.outcome_delays_minutes.voicemail": "1440", "retry.outcome_delays_minutes.busy": "",
		"max_concurrency": "7", "calls_per_second": "0.5",
		"ring_timeout_seconds": "45", "max_duration_seconds": "300",
	} {
		if got := page.field(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, choice := range [][2]string{{"calling_hours", "custom"}, {"calling_hours.clock", "zone"},
		{"calling_hours.windows[0].days", "sat"},
		{"retry.on", "voicemail"}, {"voicemail_action", "leave_message"}} {
		if !page.ticked(choice[0], choice[1]) {
			t.Errorf("%s is not %s", choice[0], choice[1])
		}
	}
	if !page.chosen("detection.mode", "off") {
		t.Error("detection is not off")
	}
	for intent, action := range map[string]string{
		"wants_human": "retry", "deceased": "do_not_call", "call_back": "call_back",
	} {
		if !page.chosen("intents."+intent, action) {
			t.Errorf("%s does not lead to %s", intent, action)
		}
	}
	if page.ticked("retry.on", "busy") || page.ticked("calling_hours", "project") {
		t.Error("more is ticked than the campaign has")
	}

	copied := n.campaignForm(v, "id", page.field("id"), "from", id, "name", page.field("name"))
	v.multi("/campaigns", copied, "", nil).want(http.StatusSeeOther)
	if got := value[string](
		w, `select variables::text || metadata::text from campaign where name = 'Everything (copy)'`,
	); got != `{"clinic": "North"}{}` {
		t.Errorf("the copy has %s", got)
	}

	// The form has a separate choice for hours that never close. A copy of a name of the
	// greatest length is shortened to make room for the suffix.
	w.exec(
		`update campaign set name = repeat('ä', $2), calling_hours = (select calling_hours from project
			where id = project_id) where id = $1`,
		id, check.MaxName,
	)
	page = v.get("/campaigns/new?from=" + id)
	if name := page.field("name"); len([]rune(name)) != check.MaxName || !strings.HasSuffix(name, "ä (copy)") ||
		!page.ticked("calling_hours", "always") {
		t.Errorf("the copy is called %q", name)
	}

	// Another organization's campaign can't be copied.
	b := other.as(other.admin)
	b.get("/campaigns/new?from=" + id).want(http.StatusNotFound)
	b.multi("/campaigns", other.campaignForm(b, "name", "Stolen", "from", id), "", nil).want(http.StatusSeeOther)
	if got := value[string](w, `select variables::text from campaign where name = 'Stolen'`); got != `{}` {
		t.Errorf("another organization's campaign gave %s", got)
	}
	n.as(n.staff).get(path).lacks("Duplicate")
}

// A duplicate can have the list of its original, with its consents and variables.
func TestDuplicateWithItsList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	id := n.newCampaign().String()
	w.exec(`update recipient set variables = '{"firstName": "Olu", "note": "a,\"b\""}', external_id = 'p-1',
		timezone = 'America/Chicago', consent_basis = 'web form', consent_at = '2026-03-01T10:00:00Z'`)
	page := b.get("/campaigns/new?from=" + id).has("Use the list of the original campaign")
	data := n.campaignForm(b, "from", id, "action", "check", "original_list", "on", "recipients", "",
		"name", page.field("name"))
	shown := b.multi("/campaigns", data, "", nil).want(http.StatusOK).
		has("List of Aster spring", "1 of 1 will be called").lacks("Use the list of the original campaign")
	copied := changed(data, "action", "create", "upload", shown.field("upload"), "rejected", "0", "header", "on",
		"header_before", "on", "columns_of", shown.field("columns_of"))
	for i, use := range []string{"phone_number", "name", "external_id", "timezone", "consent_basis", "consent_at",
		"consent_source", "consent_expires_at", "variable:firstName", "variable"} {
		if !shown.chosen("column."+strconv.Itoa(i), use) {
			t.Errorf("column %d is not %s", i, use)
		}
		copied.Set("column."+strconv.Itoa(i), use)
	}
	b.multi("/campaigns", copied, "", nil).leadsBelow("/campaigns/")
	if got := w.count(`
		select count(distinct (phone_number, name, external_id, timezone, consent_basis, consent_at, variables))
		from recipient`); got != 1 || w.count(`select count(*) from recipient`) != 2 {
		t.Errorf("the copy has %d other recipients", got-1)
	}
	other := w.newTenant("Borealis")
	v := other.as(other.admin)
	v.multi("/campaigns", other.campaignForm(v, "from", id, "action", "check", "original_list", "on",
		"recipients", ""), "", nil).want(http.StatusOK).lacks("Aster", "original campaign")
}

// A duplicate that is saved or checked as it is has the list of its original. Nobody is called before it was shown.
func TestDuplicateTakesTheListUnlessAskedOtherwise(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	id := n.newCampaign().String()
	page := b.get("/campaigns/new?from=" + id).want(http.StatusOK).
		has("1 recipient, with names, variables and consents")
	if !page.ticked("original_list", "on") {
		t.Error("the list of the original is not chosen")
	}
	send := func(pairs ...string) *shown {
		fields := []string{"from", id, "recipients", "", "original_list", "on", "id", newID().String()}
		fields = append(fields, pairs...)
		return b.multi("/campaigns", n.campaignForm(b, fields...), "", nil)
	}
	total := func(draft *shown) int {
		return w.count(`select total from campaign where id = $1`,
			strings.TrimPrefix(draft.leadsBelow("/campaigns/").header.Get("Location"), "/campaigns/"))
	}
	draft := send("action", "draft")
	if got := total(draft); got != 1 {
		t.Errorf("the draft has %d recipients, want those of the original", got)
	}
	b.get(draft.header.Get("Location")).has("Draft saved with 1 recipient. It calls nobody until you start it",
		"1 recipient", "Aster Olu", "/start")
	if got := total(send("action", "draft", "recipients", "+15005550002\n+15005550003")); got != 2 {
		t.Errorf("the draft has %d recipients, want those of its own list", got)
	}
	if got := total(send("action", "draft", "original_list", "")); got != 0 {
		t.Errorf("the draft has %d recipients, want none", got)
	}
	before := w.campaigns()
	send("action", "check").want(http.StatusOK).has("List of Aster spring", "1 of 1 will be called")
	send("action", "create").want(http.StatusOK).
		has("List of Aster spring", "Review the list of the original campaign, then start the calls", "Start 1 call")
	if got := w.campaigns(); got != before {
		t.Errorf("%d campaigns started before anybody saw whom they call", got-before)
	}

	// The choice is kept while something else is made, and there is none without a list.
	back := b.get(send("make", "/agents/new", "original_list", "on").back("/agents/new")).want(http.StatusOK)
	if !back.ticked("original_list", "on") {
		t.Error("the choice got lost on a detour")
	}
	w.exec(`delete from recipient`)
	w.exec(`update campaign set total = 0`)
	b.get("/campaigns/new?from=" + id).want(http.StatusOK).lacks("original_list")
}

// A new campaign begins with the settings of an earlier one, and drafts are saved settings.
func TestNewCampaignBeginsWithAnEarlierOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	b.get("/campaigns/new").want(http.StatusOK).lacks("Start from an earlier campaign")
	id := n.newCampaign().String()
	draft := strings.TrimPrefix(b.multi("/campaigns", n.campaignForm(b, "action", "draft", "recipients", "",
		"name", "Usual settings", "max_concurrency", "7"), "", nil).leadsBelow("/campaigns/").header.Get("Location"),
		"/campaigns/")
	w.newTenant("Birch").newCampaign()
	page := b.get("/campaigns/new").want(http.StatusOK).has("Start from an earlier campaign", "Use its settings",
		`<optgroup label="Drafts">`, `value="`+draft+`"`, `<optgroup label="Campaigns">`, `value="`+id+`"`).
		lacks("Birch")
	if strings.Index(page.body, draft) > strings.Index(page.body, id) {
		t.Error("the drafts are not the first ones")
	}
	again := b.get("/campaigns/new?from=" + draft).has("Usual settings (copy)").lacks("Start from an earlier campaign")
	if got := again.field("max_concurrency"); got != "7" {
		t.Errorf("the campaign has %s simultaneous calls", got)
	}
}
