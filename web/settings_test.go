package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
)

// changed returns a form with replaced fields, as pairs of a name and a value. The value
// "-" removes a field.
func changed(base url.Values, pairs ...string) url.Values {
	v := url.Values{}
	for field, values := range base {
		v[field] = values
	}
	for i := 0; i < len(pairs); i += 2 {
		if v.Set(pairs[i], pairs[i+1]); pairs[i+1] == "-" {
			v.Del(pairs[i])
		}
	}
	return v
}

// idOf returns the ID of the only row with a value in a column.
func idOf(w *world, table, column, is string) uuid.UUID {
	w.t.Helper()
	return value[uuid.UUID](w, `select id from `+table+` where `+column+` = $1 and deactivated_at is null`, is)
}

// removeInUse requires that the removal is refused on a page that names the objects in
// use.
func (n *tenant) removeInUse(t *testing.T, path, by string) {
	t.Helper()
	v := n.as(n.admin)
	v.t = t
	refused := v.post(path+"/remove", nil).want(http.StatusConflict)
	refused.has("This can't be done right now", by, refused.header.Get("X-Request-Id"))
	v.get(path).want(http.StatusOK)
}

func TestProjectForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	fresh := v.get("/settings/projects/new").want(http.StatusOK).has("New project", "America/Chicago", "08:00", "21:00")
	if rows := strings.Count(fresh.body, `class="window"`); rows != 1 {
		t.Errorf("a new project has %d rows for hours", rows)
	}
	data := form("name", "Prevention", "time_zone", "America/Denver", "region", "US", "calling_hours", "custom",
		"calling_hours.clock", "recipient",
		"calling_hours.windows[0].days", "mon", "calling_hours.windows[0].start", "09:00",
		"calling_hours.windows[0].end", "17:00",
		"calling_hours.windows[1].start", "", "calling_hours.windows[1].end", "")
	data.Add("calling_hours.windows[0].days", "tue")

	for _, c := range []struct{ field, value, message string }{
		{"name", "", "Required"},
		{"name", strings.Repeat("x", 101), "at most 100"},
		{"name", "Aster reminders", "Another project is named"},
		{"time_zone", "Mars/Olympus", "Must be a time zone such as America/Chicago"},
		{"region", "XX", "country"},
	} {
		v.post("/settings/projects", changed(data, c.field, c.value)).wrong(c.field, c.message).
			has("09:00", "17:00", "1 field needs fixing")
	}
	// Each window of the hours shows its own error.
	for _, c := range []struct {
		pairs []string
		at    string
	}{
		{[]string{"calling_hours.windows[0].end", "08:00"}, "calling_hours.windows[0].error"},
		{[]string{"calling_hours.windows[0].start", "nine"}, "calling_hours.windows[0].error"},
		{[]string{"calling_hours.windows[0].days", "-"}, "calling_hours.windows[0].error"},
		{
			[]string{
				"calling_hours.windows[0].days", "-", "calling_hours.windows[0].start", "",
				"calling_hours.windows[0].end", "",
			},
			"calling_hours-error",
		},
		{[]string{"calling_hours.clock", "zone", "calling_hours.timezone", "Mars"}, "calling_hours.timezone-error"},
	} {
		got := v.post("/settings/projects", changed(data, c.pairs...)).want(http.StatusUnprocessableEntity)
		if !strings.Contains(got.body, `id="`+c.at+`"`) {
			t.Errorf("with %q nothing is said at %s: %s", c.pairs, c.at, got.words())
		}
	}
	if count := w.count(`select count(*) from project`); count != 1 {
		t.Fatalf("refused forms made %d projects", count-1)
	}

	more := v.post("/settings/projects", changed(data, "action", "window")).want(http.StatusOK).
		has("Prevention", "09:00")
	if rows := strings.Count(more.body, `class="window"`); rows != 3 { // one window was left empty
		t.Errorf("there are %d rows for hours", rows)
	}
	v.post("/settings/projects", data).leads("/settings/projects")
	v.get("/settings/projects").has("Project created", "Prevention", "America/Denver", "09:00–17:00")
	id := idOf(w, "project", "name", "Prevention")
	path := "/settings/projects/" + id.String()
	edit := v.get(path).want(http.StatusOK).has("Prevention", "09:00", "17:00", "Remove project")
	if !edit.ticked("calling_hours.windows[0].days", "tue") || edit.ticked("calling_hours.windows[0].days", "wed") ||
		!edit.ticked("calling_hours", "custom") {
		t.Error("the hours are not as they were saved")
	}
	v.post(path, changed(data, "name", "")).wrong("name", "Required")
	v.post(path, changed(data, "name", "Wellness", "calling_hours", "always")).leads("/settings/projects")
	v.get("/settings/projects").has("Project saved", "Wellness", "Always").lacks("Prevention")
	if !v.get(path).ticked("calling_hours", "always") {
		t.Error("any time is not kept")
	}
	v.get(path+"/remove").has("Remove Wellness?", "Keep project", "Its campaigns and calls are kept")
	v.post(path+"/remove", nil).leads("/settings/projects")
	v.get("/settings/projects").has("Project removed").lacks("Wellness")
	v.post(path, data).want(http.StatusNotFound)

	n.newCampaign()
	n.removeInUse(t, "/settings/projects/"+n.project.String(), "Aster spring")
}

// The server adds, sorts and removes questions, so that the form works without scripts.
// The typed text stays.
func TestQuestionsOfAnAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	three := changed(agentForm(), "questions[0].ask", "One?", "questions[1].ask", "Two?", "questions[1].expect",
		"number", "questions[2].ask", "Three?")
	asks := func(page *shown) string {
		var all []string
		for _, m := range regexp.MustCompile(
			`(?s)<textarea[^>]*name="questions\[\d+\]\.ask"[^>]*>\n?(.*?)</textarea>`,
		).FindAllStringSubmatch(page.body, -1) {
			all = append(all, m[1])
		}
		return strings.Join(all, ",")
	}
	v.get("/agents/new").want(http.StatusOK).has(`name="questions[0].ask"`).lacks(`name="questions[1].ask"`)
	for action, want := range map[string]string{
		"add": "One?,Two?,Three?,", "insert:0": "One?,,Two?,Three?", "insert:2": "One?,Two?,Three?,",
		"remove:0": "Two?,Three?", "remove:2": "One?,Two?",
		"up:1": "Two?,One?,Three?", "up:2": "One?,Three?,Two?", "down:0": "Two?,One?,Three?",
		"down:1": "One?,Three?,Two?", "edit": "One?,Two?,Three?",
		"up:0": "One?,Two?,Three?", "down:2": "One?,Two?,Three?", "remove:9": "One?,Two?,Three?",
		"up:x": "One?,Two?,Three?", "insert:-1": "One?,Two?,Three?",
	} {
		page := v.post("/agents", changed(three, "action", action)).want(http.StatusOK)
		if got := asks(page); got != want {
			t.Errorf("after %s the questions are %q, want %q", action, got, want)
		}
	}
	if got := w.count(`select count(*) from agent`); got != 1 {
		t.Errorf("%d agents", got)
	}

	// The key of a question without a key derives from its text and differs from all
	// other keys.
	keyless := changed(agentForm(), "name", "Mia", "questions[0].ask", "Would you like a nurse to visit you?",
		"questions[0].key", "", "questions[1].ask", "A nurse? A visit?",
		"questions[1].key", "", "questions[1].expect", "yes_no")
	v.post("/agents", keyless).leadsBelow("/agents/")
	if got := value[string](
		w,
		`select string_agg(q->>'key', ' ') from agent, jsonb_array_elements((script->'questions')::jsonb) q
			where name = 'Mia'`,
	); got != "nurse_visit nurse_visit_2" {
		t.Errorf("the keys are %q", got)
	}

	// A person can try an unsaved script and return to its form.
	draft := changed(keyless, "name", "Zoe", "greeting", "Hello {{name|there}}, this is {{agent}}.")
	v.post("/agents/try", changed(draft, "greeting", "Hello {{")).want(http.StatusUnprocessableEntity).
		wrong("greeting", "")
	tried := v.post("/agents/try", draft).want(http.StatusOK).
		has("Hello there, this is Zoe.", "not saved yet", "Back to the form").lacks("Call me")
	if tried.field("questions[0].ask") != "Would you like a nurse to visit you?" {
		t.Error("the form did not come along")
	}
	v.post("/agents/try", changed(draft, "say", "yes", "variables.name", "Ada")).want(http.StatusOK).
		has("Hello Ada, this is Zoe.", "Recorded nurse_visit: true")
	v.post("/agents", changed(draft, "action", "edit")).want(http.StatusOK).
		has("Zoe", "Would you like a nurse")
	id := idOf(w, "agent", "name", "Mia").String()
	v.post("/agents/"+id+"/try", draft).want(http.StatusOK).has("this is Zoe.", "/agents/"+id+"/try")
	v.get("/agents/try").leads("/agents/new")
	if got := w.count(`select count(*) from agent where name = 'Zoe'`); got != 0 {
		t.Error("trying an agent saved it")
	}
}

// A stored agent with an unsupported language is marked as broken in every list of
// choices, with a remedy.
func TestAnUnheardAgentOnPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.post("/agents", changed(agentForm(), "language", "fi-FI")).wrong("language", "Must be one of cs, da, de")
	w.exec(`update agent set published_version_id = null, language = 'fi-FI',
		script = jsonb_set(script::jsonb, '{language}', '"fi-FI"')`)
	v.get("/agents").want(http.StatusOK).has("Finnish (Finland)", "Can't place calls: change the language")
	v.get("/agents/"+n.agent.String()).want(http.StatusOK).
		has("This agent can't place calls", "Choose another language for the agent", "Finnish (Finland), not supported")
	v.get("/campaigns/new").want(http.StatusOK).has("Finnish (Finland) (can't place calls)")
}

func TestAgentForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/agents/new").want(http.StatusOK).has("New agent", "Greeting")
	data := agentForm()
	for _, c := range []struct{ field, value, at, message string }{
		{"name", "", "name", "Required"},
		{"greeting", "", "greeting", "Required"},
		{"language", "not a language", "language", ""},
		{"questions[0].key", "Not a key", "questions[0].key", ""},
		{"questions[0].ask", "", "questions[0].ask", ""},
		{"questions[0].expect", "poetry", "questions[0].expect", ""},
	} {
		got := v.post("/agents", changed(data, c.field, c.value))
		got.what += " with " + c.field + " " + c.value
		got.wrong(c.at, c.message)
	}
	v.post("/agents", changed(data, "questions[0].expect", "number", "questions[0].min", "few")).
		wrong("questions[0].min", "Must be a number").has("few")
	v.post("/agents", changed(data, "questions[0].expect", "number", "questions[0].min", "9",
		"questions[0].max", "1")).want(http.StatusUnprocessableEntity)
	v.post("/agents", changed(data, "questions[0].expect", "choice", "questions[0].options", " ")).
		wrong("questions[0].options", "")
	if count := w.count(`select count(*) from agent`); count != 1 {
		t.Fatalf("refused forms made %d agents", count-1)
	}

	// The form ignores empty questions.
	full := changed(data, "questions[1].key", "", "questions[1].ask", "", "questions[2].key", "when",
		"questions[2].ask", "When?", "questions[2].expect", "choice", "questions[2].options", "Morning\r\n\r\nEvening")
	v.post("/agents", full).leadsBelow("/agents/")
	id := idOf(w, "agent", "name", "Nora")
	v.get("/agents/"+id.String()).has("Agent created. Version 1 is published", "Nora", "Hello.")
	if script := value[string](
		w, `select script->'questions'->1->>'options' from agent where id = $1`, id,
	); script != `["Morning", "Evening"]` {
		t.Errorf("the choices are %s", script)
	}
	path := "/agents/" + id.String()
	edit := v.get(path).want(http.StatusOK).has("Nora", "When?", "Morning\nEvening")
	if !edit.ticked("questions[1].expect", "choice") {
		t.Error("the kind of answer is not kept")
	}
	v.post(path, changed(full, "name", "")).wrong("name", "Required")
	v.post(path, changed(full, "name", "June")).leads(path)
	v.get("/agents").has("Draft saved", "June").lacks("Nora")

	// Saving changes the draft. Calls follow it once it is published.
	v.post(path, changed(full, "name", "June", "goodbye", "See you soon.")).leads(path)
	v.get(path).has("Draft saved", "Draft differs from version 1", "1 change", "Goodbye", "After: See you soon.")
	v.get("/agents").has("Draft not published")
	v.post(path, changed(full, "name", "June", "goodbye", "See you soon.", "publish", "yes", "note", "Friendlier")).
		leads(path)
	v.get(path).has("Agent published").lacks("Draft differs")
	v.get(path+"/versions").has("Version 2", "Friendlier", "1 change", "Version 1", "Published")
	v.post(path+"/publish", url.Values{"version": {"1"}}).leads(path + "/versions")
	v.get(path+"/versions").has("Version 1 published", "Published again by Aster Ada")
	v.get(path).has("Draft differs from version 1")
	v.get(path + "/discard").has("Discard the draft of June?")
	v.post(path+"/discard", nil).leads(path)
	v.get(path).has("Draft discarded").lacks("Draft differs")
	v.get(path + "/remove").has("Remove June?")
	v.post(path+"/remove", nil).leads("/agents")
	v.get("/agents").has("Agent removed").lacks("June")

	n.newCampaign()
	n.removeInUse(t, "/agents/"+n.agent.String(), "Aster spring")
}

func TestPhoneNumberForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/phone-numbers/new").want(http.StatusOK).has("Aster line").lacks("No carrier is connected yet")
	// Without a carrier, the form has no choices and explains why.
	bare := w.newTenant("Cirrus")
	w.exec(`update connection set deactivated_at = clock() where organization_id = $1`, bare.organization)
	bare.as(bare.admin).get("/phone-numbers/new").want(http.StatusOK).
		has("No carrier is connected yet", "Connect a carrier")
	data := form("phone_number", "+1 312 555 0100", "connection_id", n.connection.String(), "name", "Care line",
		"max_concurrency", "5")
	other := w.newTenant("Borealis")
	for _, c := range []struct{ field, value, message string }{
		{"phone_number", "", ""},
		{"phone_number", "12", ""},
		{"phone_number", "+15005559000", ""}, // the number exists already
		{"connection_id", "", "Choose a connection"},
		{"connection_id", "nonsense", "Choose a connection"},
		{"connection_id", other.connection.String(), "No such connection"},
		{"connection_id", newID().String(), "No such connection"},
		{"name", strings.Repeat("x", 101), "at most 100"},
		{"max_concurrency", "many", "Must be a whole number"},
		{"max_concurrency", "0", "Must be between"},
		{"calls_per_second", "-1", "Must be between"},
	} {
		got := v.post("/phone-numbers", changed(data, c.field, c.value))
		got.what += " with " + c.field + " " + c.value
		got.wrong(c.field, c.message)
	}
	v.post("/phone-numbers", changed(data, "connection_id", "", "phone_number", "")).
		wrong("connection_id", "Choose a connection").wrong("phone_number", "")
	v.post("/phone-numbers", changed(data, "phone_number", "x")).has("Care line", `value="5"`, "Aster line")
	v.post("/phone-numbers", data).leads("/phone-numbers")
	v.get("/phone-numbers").has("Number added", "+1 312 555 0100", "Care line", "Aster line Sandbox")
	// A connection that is named like its carrier is written once.
	w.exec(`update connection set name = 'Sandbox' where id = $1`, n.connection)
	for _, list := range []string{"/phone-numbers", "/settings/integrations"} {
		if words := v.get(list).want(http.StatusOK).words(); !strings.Contains(words, "Sandbox") ||
			strings.Contains(words, "Sandbox Sandbox") {
			t.Errorf("%s reads %s", list, words)
		}
	}
	id := idOf(w, "phone_number", "phone_number", "+13125550100")
	path := "/phone-numbers/" + id.String()
	v.get(path).want(http.StatusOK).has("+1 312 555 0100", "Care line", `value="5"`)
	v.post(path, form("name", "Renamed", "max_concurrency", "x")).wrong("max_concurrency", "whole number").
		has("Renamed")
	v.post(path, form("name", "Renamed", "max_concurrency", "")).leads("/phone-numbers")
	v.get("/phone-numbers").has("Number saved", "Renamed", "No limit")
	v.post(path, form("name", "Renamed", "calls_per_second", "2.5")).leads("/phone-numbers")
	n.as(n.staff).get("/phone-numbers").has("Calls per second", "2.5/s") // a limit of calls
	v.get(path + "/remove").has("Remove +1 312 555 0100?")
	v.post(path+"/remove", nil).leads("/phone-numbers")
	v.get("/phone-numbers").has("Number removed").lacks("Renamed")

	n.newCampaign()
	n.removeInUse(t, "/phone-numbers/"+n.number.String(), "Aster spring")
}

func TestIntegrationForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/settings/integrations/new").want(http.StatusOK).has("Twilio", "A simulated phone network")
	sid, token := "AC"+strings.Repeat("0a", 16), "secret-token-0001"
	data := form("carrier", "twilio", "name", "Main account", "account", sid, "token", token, "calls_per_second", "2.5",
		"max_concurrency", "20", "region", "ie1")
	for _, c := range []struct{ field, value, message string }{
		{"carrier", "carrier-pigeon", ""},
		{"name", "", "Required"},
		{"account", "AC1", "Account SID"},
		{"region", "us2", "Must be us1, ie1 or au1"},
		{"token", "", "Required"},
		{"token", "a b", "Must be an Auth Token"},
		{"api_key", "SK1", "Must be the SID of an API key"},
		{"calls_per_second", "fast", "Must be a number"},
		{"calls_per_second", "NaN", "Must be between"},
		{"calls_per_second", "0", "Must be between"},
		{"max_concurrency", "1.5", "whole number"},
	} {
		got := v.post("/settings/integrations", changed(data, c.field, c.value))
		got.what += " with " + c.field + " " + c.value
		got.wrong(c.field, c.message).lacks(token)
	}
	v.post("/settings/integrations", changed(data, "api_key", "SK"+strings.Repeat("0a", 16))).
		wrong("api_secret", "Required with an API key")
	v.post("/settings/integrations", changed(data, "api_secret", "secret-0001")).
		wrong("api_key", "Required with a secret").lacks("secret-0001")
	v.post("/settings/integrations", changed(data, "account", "AC1")).has("Main account", "2.5", `value="20"`)
	connected := v.post("/settings/integrations", data)
	id := idOf(w, "connection", "name", "Main account")
	path := "/settings/integrations/" + id.String()
	connected.leads(path)
	v.get(path).has("Carrier connected", "Ready for real calls")
	v.get("/settings/integrations").has("Main account", "2.5/s", "20", "Not ready").lacks(token)
	v.post("/settings/integrations", data).want(http.StatusUnprocessableEntity) // the account is connected already
	v.get(path).want(http.StatusOK).lacks(token).
		has(sid, "region Ireland (ie1)", "Leave empty to keep the current token")
	v.post(path, form("name", "", "calls_per_second", "1")).wrong("name", "Required")
	v.post(path, form("name", "Renamed", "calls_per_second", "1", "max_concurrency", "")).
		leads("/settings/integrations")
	v.get("/settings/integrations").has("Connection saved", "Renamed", "1/s")
	if kept, err := w.app.Projects.Credentials(t.Context(), id); err != nil || kept.Token != token {
		t.Errorf("the token was not kept: %v", err)
	}
	v.post(path, form("name", "Renamed", "token", "secret-token-0002", "calls_per_second", "1")).
		leads("/settings/integrations")
	if kept, err := w.app.Projects.Credentials(t.Context(), id); err != nil || kept.Token != "secret-token-0002" {
		t.Errorf("the token was not changed: %v", err)
	}
	w.exec(
		`update connection set consecutive_errors = 20, last_error = 'authentication failed (20003)',
			last_error_at = clock() where id = $1`,
		id,
	)
	v.get("/settings/integrations").has("authentication failed (20003)")
	v.get(path+"/remove").has("Remove Renamed?", "credentials stay encrypted")
	v.post(path+"/remove", nil).leads("/settings/integrations")
	v.get("/settings/integrations").has("Connection removed").lacks("Renamed")

	n.newCampaign()
	n.removeInUse(t, "/settings/integrations/"+n.connection.String(), "+1")
	w.exec(
		`update connection set consecutive_errors = 20, last_error = 'authentication failed (20003)',
			last_error_at = clock() where id = $1`,
		n.connection,
	)
	v.get("/").has("Needs attention", "20 calls in a row could not be placed: authentication failed (20003).",
		`href="/settings/integrations"`)
	w.exec(
		`update connection set consecutive_errors = 0, line_failures = 1,
			last_error = 'Unable to connect to websocket URL (64102)' where id = $1`,
		n.connection,
	)
	path = "/settings/integrations/" + n.connection.String()
	v.get("/").has("Nothing needs your attention") // below the limit
	for _, elsewhere := range []string{"/settings/integrations", "/phone-numbers", "/campaigns/new", "/calls/new"} {
		v.get(elsewhere).want(http.StatusOK).lacks("Unable to connect", "Earlier calls failed", "connection fails")
	}
	v.get(path).has("The last answered call had no working line to the agent",
		"Unable to connect to websocket URL (64102). Check that the server", "Its campaigns call on.", "Try again")
	w.exec(`update connection set line_failures = 5 where id = $1`, n.connection)
	const lines = "5 calls in a row had no working line to the agent: Unable to connect"
	v.get("/").has("Needs attention", lines)
	v.get("/phone-numbers").has(lines)
	v.get("/campaigns/new").has("Earlier calls failed", lines, "connection fails")
	v.get("/settings/integrations").has(lines)
	v.get(path).has("Its running campaigns are paused.")
	v.post(path+"/retry", nil).leads(path)
	v.get(path).has("The next calls are placed one at a time",
		"Its campaigns place one call at a time until one works.")
	v.get("/").has("Needs attention", "No call has worked since the last failure")
	v.get("/campaigns/new").has("No call has worked since the last failure")
	v.get(path).has("A connection to the sandbox is always ready").
		lacks("Ready for real calls", "Not checked yet", "Check now", "Twilio")
	w.exec(`update connection set kind = 'twilio' where id = $1`, n.connection)
	v.get(path).has("Ready for real calls", "Not checked yet", "Check now")
	v.post(path+"/check", nil).leads(path)
	v.get(path).has("Connection checked", "Public address", "ConversationRelay", "Calls per second</b>: not checked",
		"Phone numbers", "“Check now” makes these checks again", "“Try again” resets").lacks("Not checked yet")
	w.exec(`update connection set probing = null where id = $1`, n.connection)
	v.get("/settings/integrations").has("Not ready", "ConversationRelay").lacks("Not checked yet")
	w.exec(`update connection_check set state = 'ok' where connection_id = $1`, n.connection)
	w.exec(`update connection set relay_proven_at = clock() where id = $1`, n.connection)
	v.get("/settings/integrations").has("Ready").lacks("Not ready")
	v.get(path).lacks("Try again", "one call at a time")
	w.exec(`insert into caller_refusal (phone_number_id, organization_id, times, reason, last_at)
		values ($1, $2, 5, 'not verified (21210)', clock())`, n.number, n.organization)
	v.get("/phone-numbers").has("The carrier refuses the number: not verified (21210)")
	v.get("/campaigns/new").has("last call failed", "not verified (21210)", "one call at a time")
	path = "/phone-numbers/" + n.number.String()
	v.get(path).has("The carrier refuses calls from this number", "Not verified (21210)")
	v.post(path+"/retry", nil).leads(path)

	without := newWorld(t, func(o *app.Options) { o.Sandbox = app.Sandbox{} })
	m := without.newTenant("Borealis")
	m.as(m.admin).get("/settings/integrations/new").lacks("A simulated phone network")
	m.as(m.admin).post("/settings/integrations", form("carrier", "sandbox", "name", "Second")).
		want(http.StatusUnprocessableEntity).has("this server runs without the sandbox")
}

func TestDoNotCallForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/do-not-call").has("The list is empty", "Add number")
	v.get("/do-not-call/new?phone_number=%2B13125550142").has("+13125550142")
	v.post("/do-not-call", form("phone_number", "call me", "note", "By letter")).wrong("phone_number", "").
		has("call me", "By letter")
	v.post("/do-not-call", form("phone_number", "", "note", "")).wrong("phone_number", "")
	v.post("/do-not-call", form("phone_number", "+13125550142", "note", strings.Repeat("x", 501))).
		wrong("note", "at most 500")
	v.post("/do-not-call", form("phone_number", "(312) 555-0142", "note", "By letter")).
		leads("/do-not-call")
	v.get("/do-not-call").
		has("+1 312 555 0142", "Number added to the do-not-call list", "By letter", "Added manually", "Aster Ada")
	v.post("/do-not-call", form("phone_number", "+13125550142")).leads("/do-not-call")
	v.get("/do-not-call").has("This number is already on the do-not-call list", "By letter")
	v.get("/do-not-call?q=%2B1+312").has("+1 312 555 0142")
	v.get("/do-not-call?q=%2B44").has("No entry matches these filters").lacks("By letter")
	id := value[uuid.UUID](w, `select id from do_not_call`)
	path := "/do-not-call/" + id.String() + "/remove"
	v.get(path).has("Remove +1 312 555 0142 from the list?", "Keep on the list")
	v.post(path, nil).wrong("reason", "Required").has("Remove +1 312 555 0142 from the list?")
	v.post(path, form("reason", strings.Repeat("x", 501))).wrong("reason", "at most 500")
	v.post(path, form("reason", "Consent of May")).leads("/do-not-call")
	if data := value[string](w, `select data->>'reason' from audit_entry where action = 'do_not_call.removed'`); data !=
		"Consent of May" {
		t.Errorf("the audit log says %q", data)
	}
	removed := v.get("/do-not-call").has("Number removed from the list", "The list is empty")
	v.post(path, nil).want(http.StatusNotFound)
	v.post(removed.undo("/do-not-call/restore?"), nil).leads("/do-not-call")
	v.get("/do-not-call").has("1 entry restored", "+1 312 555 0142", "By letter", "Added manually")
}

// The form adds an entry for calls and one for messages, unless a person chooses. It leads back to the page that led to
// it.
func TestDoNotCallFormAddsBothChannels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newCampaign()
	n.newCall()
	const number = "+15005550001"
	person := "/people/" + w.app.People.Ref(n.organization, number)
	v := n.as(n.admin)
	page := v.get(pathOf(t, v.get(person).want(http.StatusOK), "Add to do not call")).want(http.StatusOK).
		has("Calls and messages")
	if !strings.Contains(page.body, `<a class="btn btn-quiet" href="`+person+`"`) {
		t.Error("Discard does not lead back to the person")
	}
	sent := page.fields()
	v.post("/do-not-call", changed(sent, "note", strings.Repeat("x", 501))).wrong("note", "at most 500").
		has("Calls and messages")
	channels := func() string {
		t.Helper()
		return value[string](w, `select coalesce(string_agg(channel, ' ' order by channel), '') from do_not_call`)
	}
	if got := channels(); got != "" {
		t.Errorf("refused, yet on the lists of %q", got)
	}
	v.post("/do-not-call", sent).leads(person)
	v.get(person).has("Number added to the do-not-call list", "Do not call", "Do not message").
		lacks("Add to do not call")
	if got := channels(); got != "message voice" {
		t.Errorf("on the lists of %q", got)
	}
	if n := w.count(`select count(*) from audit_entry where action = 'do_not_call.added'`); n != 2 {
		t.Errorf("%d audit entries", n)
	}
	v.post("/do-not-call", sent).leads(person)
	v.get(person).has("This number is already on the do-not-call list")
	v.post("/do-not-call", form("phone_number", "+13125550143", "channel", "fax")).wrong("channel", "voice or message")
	// The number that is on one list is added to the other one.
	v.post("/do-not-call", form("phone_number", "+13125550142", "channel", "message")).leads("/do-not-call")
	v.post("/do-not-call", form("phone_number", "+13125550142", "channel", "both")).leads("/do-not-call")
	v.get("/do-not-call").has("Number added to the do-not-call list")
	if got := channels(); got != "message message voice voice" {
		t.Errorf("on the lists of %q", got)
	}
}

// A search takes the first or the last digits of a number, as people of the organization's country write them.
func TestDoNotCallSearch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.post("/do-not-call", form("phone_number", "312 555 0177", "channel", "voice")).leads("/do-not-call")
	v.post("/do-not-call", form("phone_number", "+44 7700 900123", "channel", "voice")).leads("/do-not-call")
	for _, q := range []string{
		"312", "3125550177", "(312) 555-0177", "0177", "1312", "+1312", "1 (312) 555-0177", "001 312", "+13125550177",
	} {
		v.get("/do-not-call?q=" + url.QueryEscape(q)).has("+1 312 555 0177").lacks("+44 7700 900123")
	}
	v.get("/do-not-call?q=0123").has("+44 7700 900123").lacks("+1 312 555 0177")
	for _, q := range []string{"555", "+312", "+0177", "13125550178", "person"} {
		v.get("/do-not-call?q=" + url.QueryEscape(q)).has("No entry matches these filters")
	}
	// The whole number finds the entries of an erased person, however it is written.
	err := postgres.InTx(t.Context(), w.Pool, func(tx pgx.Tx) error {
		return suppression.Erase(t.Context(), tx, n.organization, "+13125550177", "Aster Ada")
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"+13125550177", "3125550177", "(312) 555-0177"} {
		v.get("/do-not-call?q=" + url.QueryEscape(q)).has("Erased number")
	}
	v.get("/do-not-call?q=0177").has("No entry matches these filters")
	w.exec(`update organization set region = 'DE'`)
	v.post("/do-not-call", form("phone_number", "030 123456", "channel", "voice")).leads("/do-not-call")
	for _, q := range []string{"030", "0 30 12", "30", "4930", "3456"} {
		v.get("/do-not-call?q=" + url.QueryEscape(q)).has("+49 30 123456").lacks("Erased number")
	}
}

func TestOrganizationForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	data := form("name", "Aster Health", "time_zone", "Europe/Berlin", "region", "DE")
	v.post("/settings/organization", changed(data, "name", "")).wrong("name", "Required").has("Europe/Berlin")
	v.post("/settings/organization", changed(data, "time_zone", "Berlin")).
		wrong("time_zone", "Must be a time zone such as America/Chicago").
		has("Aster Health")
	v.post("/settings/organization", changed(data, "region", "Germany")).wrong("region", "country")
	v.post("/settings/organization", data).leads("/settings/organization")
	saved := v.get("/settings/organization").has("Organization saved", "Aster Health", "Europe/Berlin")
	if !saved.ticked("region", "DE") {
		t.Error("the country is not kept")
	}
	n.as(n.staff).get("/settings/organization").has("Aster Health", "Germany", n.organization.String()).
		lacks("Save organization")
	// Numbers are read by the organization's country, and times are shown in its time
	// zone.
	v.post("/do-not-call", form("phone_number", "030 123456")).leads("/do-not-call")
	v.get("/do-not-call").has("+49 30 123456")
}

// The form keeps what a question means, whether it is optional, and every kind of answer.
func TestFieldsOfAQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	data := changed(agentForm(), "name", "Mia", "questions[0].ask", "What is your email address?",
		"questions[0].key", "email", "questions[0].expect", "email", "questions[0].optional", "on",
		"questions[0].description", " Where the invoice goes ", "questions[1].ask", "Which day?",
		"questions[1].key", "day", "questions[1].expect", "date", "questions[1].description", "")
	v.post("/agents", data).leadsBelow("/agents/")
	id := idOf(w, "agent", "name", "Mia")
	want := `[{"ask": "What is your email address?", "key": "email", "expect": "email", "required": false,
		"description": "Where the invoice goes"}, {"ask": "Which day?", "key": "day", "expect": "date"}]`
	if !value[bool](w, `select (script->'questions')::jsonb = $2::jsonb from agent where id = $1`, id, want) {
		t.Errorf("stored %s", value[string](w, `select script->>'questions' from agent where id = $1`, id))
	}
	page := v.get("/agents/" + id.String()).want(http.StatusOK).has(`value="Where the invoice goes"`)
	if !page.ticked("questions[0].optional", "on") || page.ticked("questions[1].optional", "on") ||
		!page.ticked("questions[0].expect", "email") || !page.ticked("questions[1].expect", "date") {
		t.Error("the form does not show what was saved")
	}
	v.post("/agents/"+id.String(), changed(data, "questions[0].description", strings.Repeat("x", 301))).
		wrong("questions[0].description", "Must have at most 300 characters")
}

// A carrier that cannot be reached is a problem of the form, not of its token.
func TestCarrierThatIsNotReached(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *app.Options) { o.TwilioURL = "http://127.0.0.1:1" })
	n := w.newTenant("Aster")
	n.as(n.admin).post("/settings/integrations", form("carrier", "twilio", "name", "Main account",
		"account", "AC"+strings.Repeat("0a", 16), "token", strings.Repeat("ab", 16), "region", "us1")).
		want(http.StatusUnprocessableEntity).
		has("nothing was saved: Twilio could not be reached", "Check that this server can reach Twilio").
		lacks(`id="token-error"`, `aria-invalid="true"`)
	if got := w.count(`select count(*) from connection where name = 'Main account'`); got != 0 {
		t.Error("the connection was stored")
	}
}
