package web

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/project"
)

// callForm returns a sent form for one call, with only the required fields filled in.
func (n *tenant) callForm(v *visitor, pairs ...string) url.Values {
	n.w.t.Helper()
	page := v.get("/calls/new").want(http.StatusOK)
	data := form("id", page.field("id"), "to", "(312) 555-0142", "name", "", "agent_id", n.agent.String(),
		"project_id", n.project.String(), "phone_number_id", n.number.String(), "scheduled_at", "", "timezone", "",
		"scheduled_at.clock", "organization", "calling_hours", "project", "calling_hours.clock", "recipient",
		"calling_hours.timezone", "", "retry.max_attempts", "1", "retry.delays_minutes", "30", "retry.on", "busy",
		"retry.on", "no_answer", "voicemail_action", "hang_up", "consent.basis", "", "consent.at", "",
		"consent.source", "", "call_reason", "", "external_id", "", "action", "create")
	return changed(data, pairs...)
}

// scheduledCalls counts the calls that are scheduled.
func (w *world) scheduledCalls() int {
	return w.count(`select count(*) from recipient where next_call_id is not null`)
}

// withValues makes the agent greet with a value of the call.
func (n *tenant) withValues() {
	n.w.t.Helper()
	n.w.exec(`update agent set script = jsonb_set(script, '{greeting}', '"Hello {{name}}, on {{day}}?"') where id = $1`,
		n.agent)
	if _, err := n.w.app.Projects.PublishAgent(n.w.t.Context(), n.actor(), n.agent, project.Publishing{}); err != nil {
		n.w.t.Fatal(err)
	}
}

func TestSomeoneIsCalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	v := n.as(n.admin)
	v.get("/calls").has("Call someone")
	n.as(n.staff).get("/calls").lacks("Call someone")
	data := n.callForm(v)
	path := v.post("/calls", data).want(http.StatusSeeOther).header.Get("Location")
	v.get(path).has("Call created", "+1 312 555 0142", "Scheduled",
		"Cancel call", "Aster Robin")

	// The same form, sent again by a second click or after going back, schedules no second call.
	var together sync.WaitGroup
	for range 3 {
		together.Go(func() { n.as(n.admin).post("/calls", data).leads(path) })
	}
	together.Wait()
	v.post(path+"/cancel", nil).leads(path)
	v.post("/calls", data).leads(path)
	if calls := w.count(`select count(*) from recipient`); calls != 1 {
		t.Errorf("%d calls", calls)
	}
	// The same form ID in another organization gives no access to the call.
	b := other.as(other.admin)
	b.post("/calls", other.callForm(b, "id", data.Get("id"))).want(http.StatusUnprocessableEntity).lacks("Aster")

	// Every field of the form reaches the call.
	w.exec(`update organization set time_zone = 'Europe/Berlin' where id = $1`, n.organization)
	path = v.post("/calls", n.callForm(v, "to", "312 555 0143", "name", "Olu", "scheduled_at", "2031-01-15T09:30",
		"external_id", "crm-7", "call_reason", "Your visit", "consent.basis", "web form", "consent.at", "2026-03-01",
		"consent.source", "example.com", "timezone", "America/Chicago", "retry.max_attempts", "3",
		"retry.delays_minutes", "5, 10", "voicemail_action", "leave_message", "calling_hours", "always")).
		want(http.StatusSeeOther).header.Get("Location")
	v.get(path).has("Olu", "Starts", "Wed 15 Jan 2031, 09:30:00 CET", "Your visit", "Web form", "crm-7",
		"Attempt 1 of 3", "Up to 3 attempts. After busy and no answer: 5 min, 10 min", "Always", "Leave a message",
		"Had no time: try again, if attempts are left").lacks("waits for the start")
	got := value[string](w, `
		select concat_ws('|', r.name, r.external_id, r.timezone, r.due_at at time zone 'UTC', r.consent_source,
			r.consent_at at time zone 'UTC', c.call_reason, c.max_attempts, c.retry_delays::text, c.voicemail_action)
		from recipient r join campaign c on c.id = r.campaign_id where r.name = 'Olu'`)
	if got != "Olu|crm-7|America/Chicago|2031-01-15 08:30:00|example.com|2026-02-28 23:00:00|Your visit|3|{5,10}|"+
		"leave_message" {
		t.Error(got)
	}
	// The list finds it.
	v.get("/calls?external_id=crm-7&outcome=scheduled").
		has("Olu", "Scheduled for 15 Jan 2031, 09:30", "No campaign", "External ID crm-7").lacks("0142")
	v.get("/calls?external_id=crm-8").has("No call matches these filters")
	v.get("/calls/export?external_id=crm-7").has("Olu")
	v.get("/calls?external_id="+strings.Repeat("x", 201)).want(http.StatusUnprocessableEntity).
		wrong("external_id", "Must have at most 200 characters")
	v.get("/calls?outcome=scheduled").has("Next due first").lacks("Newest first")
	v.get("/calls").has("Newest first")
	// By the clock of the person: that of the form, or that of the number.
	for name, zone := range map[string]string{"Mei": "America/Los_Angeles", "Kim": ""} {
		v.post("/calls", n.callForm(v, "name", name, "scheduled_at", "2031-01-15T09:30", "scheduled_at.clock", "person",
			"timezone", zone)).want(http.StatusSeeOther)
	}
	got = value[string](w, `select string_agg(due_at at time zone 'UTC' || '', '|' order by name desc) from recipient
		where name in ('Mei', 'Kim')`)
	if got != "2031-01-15 17:30:00|2031-01-15 15:30:00" {
		t.Error(got)
	}
}

// The form asks for what the chosen agent uses, also without scripts.
func TestTheValuesOfACall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.withValues()
	v := n.as(n.admin)
	v.get("/calls/new").has(`name="variables.day"`)
	v.post("/calls", n.callForm(v)).want(http.StatusOK).has("The agent uses these values", `name="variables.day"`)
	v.post("/calls", n.callForm(v, "action", "variables", "variables.day", "Monday")).want(http.StatusOK).
		has(`value="Monday"`).lacks("The agent uses these values")
	window := n.callForm(v, "action", "window", "variables.day", "Monday", "calling_hours.windows[0].start", "")
	v.post("/calls", window).want(http.StatusOK).has(`calling_hours.windows[1].start`)
	if calls := w.scheduledCalls(); calls > 0 {
		t.Errorf("%d calls", calls)
	}
	made := v.post("/calls", n.callForm(v, "variables.day", "Monday", "variables.other", "x")).want(http.StatusSeeOther)
	v.get(made.header.Get("Location")).has("What the agent knows", "day Monday", "other x")
	if got := value[string](w, `select variables::text from recipient`); got != `{"day": "Monday", "other": "x"}` {
		t.Error(got)
	}
}

// With scripts, the values appear when the agent is chosen, and nothing else of the form changes.
func TestValuesAppearWithTheAgent(t *testing.T) {
	t.Parallel()
	w := newIdleProduct(t)
	n := w.newTenant("Aster")
	n.withValues()
	w.exec(`insert into agent (id, organization_id, name, language, script)
		select $1, organization_id, 'Another', language, '{"greeting": "Hi."}' from agent where id = $2`, newID(), n.agent)
	v := n.as(n.admin)
	tab := browsertest.Open(t).NewTab(t)
	tab.Become(w.server.URL, v.client.Jar.Cookies(w.origin()))
	tab.Go(w.server.URL + "/calls/new")
	tab.WaitText("#call-variables .hint", "Choose an agent")
	browsertest.Eval[bool](tab, `(() => {
		document.getElementById("to").value = "312";
		const agent = document.getElementById("agent_id");
		agent.value = "`+n.agent.String()+`";
		return agent.dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	tab.WaitText("#call-variables label", "Day")
	if to := browsertest.Eval[string](tab, `document.getElementById("to").value`); to != "312" {
		t.Errorf("the number is %q", to)
	}
}

// A refused form shows its values again, with each problem at its field.
func TestRefusedCallForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	n.withValues()
	v := n.as(n.admin)
	w.exec(`insert into do_not_call (id, organization_id, phone_number, channel, source)
		values ($1, $2, '+13125550199', 'voice', 'user')`, newID(), n.organization)
	refused := func(pairs ...string) *shown {
		t.Helper()
		return v.post("/calls", n.callForm(v, append([]string{"variables.day", "Monday"}, pairs...)...)).
			want(http.StatusUnprocessableEntity).has(`value="Monday"`)
	}
	refused("to", "12", "retry.max_attempts", "x", "scheduled_at", "2020-01-01T09:00", "timezone", "Mars").
		wrong("to", "", "retry.max_attempts", "Must be a whole number", "scheduled_at", "in the past", "timezone",
			"Must be a time zone such as America/Chicago")
	refused("to", "").wrong("to", "Required")
	refused("to", "312 555 0199").wrong("to", "do-not-call list")
	refused("agent_id", other.agent.String()).wrong("agent_id", "No such agent")
	refused("phone_number_id", "").wrong("phone_number_id", "Required")
	refused("calling_hours", "custom").has("At least one is required")
	refused("consent.at", "2026-03-01").wrong("consent.basis", "Required")
	refused("to", "+1 800 555 0199", "scheduled_at", "2031-01-15T09:30", "scheduled_at.clock", "person").
		wrong("timezone", "does not tell the time zone")
	w.exec(`update organization set consent_required = true where id = $1`, n.organization)
	refused().wrong("consent.basis", "A consent with its date is required")
	if calls := w.scheduledCalls(); calls > 0 {
		t.Errorf("%d calls", calls)
	}
}

// A call can be repeated from its page and from a follow-up, with the same person, agent and values.
func TestCallAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	n.withValues()
	v := n.as(n.admin)
	id := n.newCall().String()
	w.exec(`update call set variables = '{"day": "Monday", "extra": "y"}', external_id = 'crm-7', consent_basis = 'web',
		consent_at = '2026-03-01T12:00:00Z' where id = $1`, id)
	again := "/calls/new?from=" + id
	v.get("/calls/"+id).has("Call again", again)
	n.as(n.staff).get("/calls/" + id).lacks("Call again")
	page := v.get(again).want(http.StatusOK)
	number := value[string](w, `select person_number from call where id = $1`, id)
	for name, want := range map[string]string{
		"to": number, "variables.day": "Monday", "variables.extra": "y", "external_id": "crm-7", "consent.basis": "web",
		"consent.at": "2026-03-01",
	} {
		if got := page.field(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if !page.chosen("agent_id", n.agent.String()) || !page.chosen("phone_number_id", n.number.String()) {
		t.Error("the agent and the number are others")
	}
	v.get("/follow-ups/"+n.newFollowUp().String()).has("Call again", "/calls/new?from=")
	b := other.as(other.admin)
	b.get(again).want(http.StatusNotFound)
	w.exec(`update call set person_number = '' where id = $1`, id)
	v.get("/calls/" + id).lacks("Call again")
	v.get("/calls/" + n.newScheduledCall().String()).lacks("Call again")
}

// A call that is repeated keeps its retries, hours, end, consent and metadata, and what stands under "More settings".
func TestCallAgainWithItsSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	set := []string{
		"scheduled_at", "2031-01-15T09:30", "expires_at", "2031-01-16T18:00", "retry.max_attempts", "4",
		"retry.delays_minutes", "5, 10", "retry.outcome_delays_minutes.busy", "2", "calling_hours", "custom",
		"calling_hours.windows[0].days", "thu", "calling_hours.windows[0].start", "09:00",
		"calling_hours.windows[0].end", "12:00", "voicemail_action", "leave_message", "detection.timeout_seconds", "20",
		"ring_timeout_seconds", "45", "max_duration_seconds", "120", "intents.minor", "stop", "consent.basis", "web",
		"consent.at", "2026-03-01", "consent.expires_at", "2032-03-01", "agent_version.version", "1",
	}
	first := v.post("/calls", n.callForm(v, set...)).want(http.StatusSeeOther).header.Get("Location")
	w.exec(`update recipient set metadata = '{"ticket": 7}'`)
	v.get(first).has("No calls after", "16 Jan 2031, 18:00").lacks("in this campaign")
	v.post(first+"/cancel", nil).leads(first)
	w.exec(`update call set settled_at = clock(), settle_after = null where ended_at is not null`)

	page := v.get("/calls/new?from="+strings.TrimPrefix(first, "/calls/")).want(http.StatusOK).
		has("No more attempts").lacks("in this campaign", "agent_version.split")
	again := n.callForm(v, "id", page.field("id"), "from", page.field("from"), "scheduled_at", "2031-01-15T09:30")
	for i := 2; i < len(set); i += 2 {
		name, want := set[i], set[i+1]
		switch name {
		case "calling_hours", "calling_hours.windows[0].days", "voicemail_action":
			if !page.ticked(name, want) {
				t.Errorf("%s is not %q", name, want)
			}
		case "intents.minor", "agent_version.version":
			if !page.chosen(name, want) {
				t.Errorf("%s is not %q", name, want)
			}
		default:
			if got := page.field(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		again.Set(name, want)
	}
	v.post("/calls", again).want(http.StatusSeeOther)
	// The same settings are those of the same standing campaign.
	got := value[string](w, `
		select count(distinct campaign_id) || ' ' || count(distinct expires_at) || ' ' ||
			count(distinct consent_expires_at) || ' ' || string_agg(metadata::text, ' ' order by created_at)
		from recipient`)
	if got != `1 1 1 {"ticket": 7} {"ticket": 7}` {
		t.Error(got)
	}
	// What nobody changed stays closed, and a problem in it opens it.
	v.get("/calls/new").has(`<details class="more" id="more-settings">`)
	v.post("/calls", n.callForm(v, "ring_timeout_seconds", "1", "expires_at", "2020-01-01T09:00",
		"consent.basis", "web", "consent.at", "2026-03-01", "consent.expires_at", "x")).
		want(http.StatusUnprocessableEntity).
		has(`id="more-settings" open`).
		wrong("ring_timeout_seconds", "Must be between 5 and 120", "expires_at", "", "consent.expires_at", "")
	// A call of a campaign has the settings of the campaign, and the hours of the project as those of the project.
	id := n.newCall()
	w.exec(`update campaign set max_attempts = 3, calling_hours = (select calling_hours from project where id = $1)`,
		n.project)
	w.exec(`update call set recipient_id = (select id from recipient limit 1) where id = $1`, id)
	page = v.get("/calls/new?from=" + id.String()).want(http.StatusOK)
	if page.field("retry.max_attempts") != "3" || !page.ticked("calling_hours", "project") {
		t.Error("the settings of the campaign are lost")
	}
}
