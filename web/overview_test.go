package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/call"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// The overview shows the time left of each running campaign, and the problems that need
// attention.
func TestOverviewSaysWhatWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	id := n.newCampaign()
	w.exec(`update campaign set status = 'running', started_at = clock() where id = $1`, id)
	v.get("/").want(http.StatusOK).has("0 of 1", "Nothing needs your attention").lacks("Less than a minute")
	for range 10 {
		n.newCall()
	}
	w.exec(`update call set campaign_id = $1, recipient_id = (select id from recipient where campaign_id = $1),
		created_at = clock() - interval '30 seconds' * index
		from (select id as numbered, row_number() over (order by id) as index from call) of_call where id = numbered`,
		id)
	w.exec(`update recipient set due_at = clock() where campaign_id = $1`, id)
	v.get("/").has("Less than a minute")
	w.exec(`update recipient set due_at = clock() + interval '2 hours 30 seconds' where campaign_id = $1`, id)
	v.get("/").has("At least 2 h")
	v.get("/campaigns/" + id.String()).has("At least 2 h left, because a call is due at ")

	w.exec(`update campaign set status = 'paused', pause_reason = '20 carrier errors in a row' where id = $1`, id)
	hook := n.newWebhook()
	w.exec(`update webhook set is_active = false, disabled_reason = 'failing', inactive_since = clock() where id = $1`,
		hook.ID)
	n.newKey("forgotten")
	w.exec(`update api_key set created_at = clock() - interval '91 days'`)
	v.get("/").lacks("At least 2 h").has(
		"Campaign paused: Aster spring 20 carrier errors in a row. Remove the cause, then resume the campaign.",
		"Webhook disabled: Aster bridge No delivery succeeded for five days.",
		"API key unused: Aster forgotten", "was never used. Revoke the key if no system needs it.")
}

// A malformed period gets no figures, because they would look like figures of the
// requested days.
func TestOverviewOfWrongDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	n.newCampaign()
	n.newCall()
	if err := call.Recount(t.Context(), w.Pool, n.organization); err != nil {
		t.Fatal(err)
	}
	const figures = "Calls placed"
	v.get("/").want(http.StatusOK).has(figures, "Outcomes by day", "Custom", "including today").lacks("vs.")
	const wrong = "?from=2026-11-02&to=2026-11-01"
	v.get("/"+wrong).want(http.StatusOK).has("Must not be before “From”", "2026-11-02", "Aster spring").
		lacks(figures, "Outcomes by", "including today")
	v.listen("/events"+wrong).next("overview", "Aster spring")
	audit := n.as(n.admin)
	audit.post("/settings/projects", form("name", "Prevention", "time_zone", "America/Denver", "region", "US",
		"calling_hours", "always"))
	audit.get("/settings/audit-log").has("created the project “Prevention”", "Export CSV")
	audit.get("/settings/audit-log?from=yesterday").want(http.StatusOK).has("Choose a date").
		lacks("created the project “Prevention”", "Export CSV")
}

// The overview can be filtered by project, campaign or agent, and its links to other
// periods keep the filter. An object of another organization is not found.
func TestOverviewIsNarrowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	v := n.as(n.staff)
	spring, autumn := n.newCampaign(), n.newCampaign()
	w.exec(`update campaign set name = 'Aster autumn' where id = $1`, autumn)
	agent := newID()
	w.exec(
		`insert into agent select (jsonb_populate_record(a, jsonb_build_object('id', $1::uuid, 'name', 'Silent',
			'published_version_id', null))).*
			from agent a where id = $2`,
		agent, n.agent,
	)
	called, elsewhere := n.newCall(), n.newCall()
	w.exec(`update call set campaign_id = $2, recipient_name = 'Spring Sue' where id = $1`, called, spring)
	w.exec(`update call set campaign_id = $2, recipient_name = 'Autumn Ann' where id = $1`, elsewhere, autumn)
	if err := call.Recount(t.Context(), w.Pool, n.organization); err != nil {
		t.Fatal(err)
	}

	v.get("/").want(http.StatusOK).
		has("Completed 2", "Spring Sue", "Autumn Ann", "All projects", "All campaigns", "All agents").lacks("Clear")
	only := "campaign_id=" + spring.String()
	page := v.get("/?days=30&"+only).want(http.StatusOK).has("Completed 1", "Spring Sue", "Clear").lacks("Autumn Ann")
	for _, link := range []string{
		"/?" + only, "/?" + only + "&amp;days=1", "/events?days=30&amp;" + only,
		"&amp;campaign_id=" + spring.String(), `name="days" value="30"`,
	} {
		if !strings.Contains(page.body, link) {
			t.Errorf("the page lacks %s", link)
		}
	}
	v.listen("/events?"+only).next("overview", "Spring Sue", "Completed 1")
	v.get("/?project_id="+n.project.String()).want(http.StatusOK).has("Completed 2", "Aster spring", "Aster autumn")
	v.get("/?agent_id="+agent.String()).want(http.StatusOK).
		has("Completed 0", "No campaign that matches the filters is running or scheduled", "No calls by this agent yet")
	v.get("/?campaign_id="+spring.String()+"&agent_id="+agent.String()).want(http.StatusOK).
		has("Completed 0", "No campaign that matches the filters is running or scheduled",
			"No call matches the filters")
	v.get("/?project_id=" + n.freshProject().String()).has("No calls in this project yet")
	v.get("/?campaign_id=" + n.newCampaign().String()).has("No calls in this campaign yet")
	v.get("/?phone_number_id=" + n.freshNumber().String()).has("No calls with this phone number yet")
	for _, foreign := range []string{
		"project_id=" + other.project.String(), "campaign_id=" + other.newCampaign().String(),
		"agent_id=" + other.agent.String(),
		"project_id=x", "campaign_id=x", "agent_id=x",
	} {
		v.get("/?" + foreign).want(http.StatusNotFound)
		v.get("/events?" + foreign).want(http.StatusNotFound)
	}
}

// An overview without a call is not that of an organization that begins, if its filters hide the calls.
func TestFiltersHideCallsWithoutCampaign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(`update call set campaign_id = null, recipient_id = null where id = $1`, n.newCall())
	w.exec(`delete from campaign`)
	v := n.as(n.admin)
	v.get("/").want(http.StatusOK).has("Latest calls", "Aster Olu")
	v.get("/?project_id="+n.freshProject().String()).want(http.StatusOK).
		has("No calls in this project yet", "Clear").lacks("No campaigns yet")
}

// The overview shows only the WhatsApp numbers in use.
func TestOverviewShowsUsedWhatsAppNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	n.newCampaign()
	n.newWhatsApp()
	v.get("/").want(http.StatusOK).lacks("WhatsApp quota")
	n.newMessage()
	v.get("/").has("WhatsApp quota", "All numbers")
	n.newWhatsApp()
	v.get("/").lacks("WhatsApp quota")
	w.exec(`update phone_number set messaging_external_id = $2 where id = $1`, n.number, whatsapp.Number250)
	v.get("/").has("WhatsApp quota")
}
