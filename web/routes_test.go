package web

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/evaluation"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	notes "github.com/dialwright/dialwright/internal/person"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/static"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/people"
)

// visit is a request to a route by a person with its right.
type visit struct {
	path func(n *tenant) string // path with IDs of the tenant; nil: the route's own path
	form url.Values             // form of a POST
	want int                    // 200 or 303 unless set
	only string                 // reason why the test of roles skips the route, which has its own test
}

// of returns a path with the ID of a new object for each call, so that one visitor's
// action does not affect the next visitor.
func of(fresh func(*tenant) uuid.UUID, format string) func(*tenant) string {
	return func(n *tenant) string { return strings.Replace(format, "{id}", fresh(n).String(), 1) }
}

const calledNumber = "+15005550001" // of newCall

// ofPerson returns the path of a person who was called.
func ofPerson(more string) func(*tenant) string {
	return func(n *tenant) string {
		n.newCall()
		return "/people/" + n.w.app.People.Ref(n.organization, calledNumber) + more
	}
}

// ofNote returns the path of a new note about a person.
func ofNote(more string) func(*tenant) string {
	return func(n *tenant) string {
		note := notes.NewNote{ID: newID(), Text: n.name + " note"}
		if err := n.w.app.People.AddNote(n.w.t.Context(), n.actor(), calledNumber, note); err != nil {
			n.w.t.Fatal(err)
		}
		return ofPerson("/notes/" + note.ID.String() + more)(n)
	}
}

// fixed is the path of something that belongs to no organization.
func fixed(path string) func(*tenant) string { return func(*tenant) string { return path } }

// noWebhooks deletes webhooks, because an organization may have at most ten.
func (n *tenant) noWebhooks() uuid.UUID {
	n.w.exec(`update webhook set deleted_at = clock() where organization_id = $1`, n.organization)
	return uuid.Nil
}

func (n *tenant) freshWebhook() uuid.UUID {
	n.noWebhooks()
	return n.newWebhook().ID
}

// ofDelivery returns a path with the IDs of a new delivery and its webhook.
func ofDelivery(format string) func(*tenant) string {
	return func(n *tenant) string {
		n.noWebhooks()
		d := n.newDelivery()
		return strings.NewReplacer("{id}", d.WebhookID.String(), "{delivery_id}", d.ID.String()).Replace(format)
	}
}

// ofTestCase returns the path of a new test case with every kind of row, and more of it.
func ofTestCase(more string) func(*tenant) string {
	return func(n *tenant) string {
		agent := n.freshAgent()
		c, err := n.w.app.Evaluations.CreateCase(n.w.t.Context(), account.System(n.organization), agent, wholeCase(n))
		if err != nil {
			n.w.t.Fatal(err)
		}
		return "/agents/" + agent.String() + "/tests/cases/" + c.ID.String() + more
	}
}

// wholeCase has every action and every kind of check.
func wholeCase(n *tenant) evaluation.CaseInput {
	in := evaluation.CaseInput{Name: "Everything"}
	for _, action := range evaluation.Actions {
		step := evaluation.Step{Action: action}
		switch action {
		case evaluation.Say:
			step.Text = "Yes."
		case evaluation.Press:
			step.Text = "9"
		case evaluation.Interrupt:
			step.Text, step.Words = "Wait.", 3
		case evaluation.TakeTransfer, evaluation.DeclineTransfer, evaluation.StaySilent, evaluation.HangUp,
			evaluation.IsVoicemail, evaluation.Beep:
		}
		in.Recipient.Steps = append(in.Recipient.Steps, step)
	}
	model := n.freshModel().String()
	in.Variables, in.LeaveMessage = []byte(`{"first_name": "Ada"}`), true
	in.ToolResults = map[string]json.RawMessage{"send_message": []byte(`{"slots": [1]}`)}
	in.Checks = []evaluation.Check{
		{Kind: evaluation.ToolCalled, Name: "end_call", Value: `{"a": 1}`},
		{Kind: evaluation.ToolNotCalled, Name: "opt_out"}, {Kind: evaluation.Said, Value: "(?i)hello"},
		{Kind: evaluation.NotSaid, Value: "price"}, {Kind: evaluation.FieldEquals, Name: "ok", Value: "true"},
		{Kind: evaluation.FieldPresent, Name: "ok"}, {Kind: evaluation.FieldAbsent, Name: "ok"},
		{Kind: evaluation.EndedReason, Value: "completed"}, {Kind: evaluation.OptedOut}, {Kind: evaluation.NotOptedOut},
		{Kind: evaluation.MaxTurns, Value: "9"}, {Kind: evaluation.FirstTokenP95, Value: "800"},
		{Kind: evaluation.Judge, Value: "The agent is polite.", ConnectionID: model},
	}
	return in
}

// ofTestRun returns a path with the IDs of a new test run, its agent and one of its attempts.
func ofTestRun(format string) func(*tenant) string {
	return func(n *tenant) string {
		agent := n.freshAgent()
		run, err := n.w.app.Evaluations.Start(n.w.t.Context(), account.System(n.organization), agent,
			evaluation.RunInput{DifficultCallees: true, Repeats: new(1)})
		if err != nil {
			n.w.t.Fatal(err)
		}
		attempt := value[uuid.UUID](n.w, `select id from agent_test_attempt where run_id = $1 limit 1`, run.ID)
		return strings.NewReplacer("{id}", agent.String(), "{run_id}", run.ID.String(), "{attempt_id}",
			attempt.String()).Replace(format)
	}
}

func (n *tenant) newEntry() uuid.UUID {
	n.newInvitation()
	return value[uuid.UUID](n.w, `select id from audit_entry where organization_id = $1 order by id desc limit 1`,
		n.organization)
}

func (n *tenant) noInvitations() uuid.UUID {
	n.w.exec(`delete from invitation where organization_id = $1`, n.organization)
	return uuid.Nil
}

func (n *tenant) newInvitation() uuid.UUID {
	n.noInvitations()
	i, _, err := n.w.accounts.Invite(n.w.t.Context(), n.actor(), "ines@example.com", account.Staff)
	if err != nil {
		n.w.t.Fatal(err)
	}
	return i.ID
}

// freshMember makes a member with a second factor of an unknown seed.
func (n *tenant) freshMember() uuid.UUID {
	id := newID()
	n.w.exec(`insert into app_user (id, email, name, password_hash) values ($1, $1::uuid || '@example.com', $2, $3)`,
		id, n.name+" Mo", passwordHash())
	n.w.exec(`insert into membership (organization_id, user_id, role) values ($1, $2, 'staff')`, n.organization, id)
	n.w.exec(`insert into second_factor (user_id, seed, last_step) values ($1, '', 0)`, id)
	return id
}

func (n *tenant) freshKey() uuid.UUID { id, _ := n.newKey("export"); return id }

func (n *tenant) freshProject() uuid.UUID {
	id := newID()
	n.w.exec(`insert into project (id, organization_id, name, time_zone, region, calling_hours)
		select $1, organization_id, name || $1::uuid, time_zone, region, calling_hours from project where id = $2`, id,
		n.project)
	return id
}

func (n *tenant) freshAgent() uuid.UUID {
	id := newID()
	n.w.exec(
		`insert into agent (id, organization_id, name, language, script)
			select $1, organization_id, name, language, script from agent where id = $2`,
		id, n.agent,
	)
	return id
}

// publishedAgent is an agent with two versions and a draft that differs from both.
func (n *tenant) publishedAgent() uuid.UUID {
	n.w.t.Helper()
	ctx, projects := n.w.t.Context(), n.w.app.Projects
	settings := project.AgentSettings{Name: "June", Script: conversation.Script{
		Language: "en-US", Greeting: "Hello.",
		Questions: []conversation.Question{{Key: "ok", Ask: "Well?", Expect: conversation.YesNo}},
	}}
	a, err := projects.CreateAgent(ctx, n.actor(), settings)
	for _, goodbye := range []string{"Bye.", "See you."} {
		if err == nil {
			settings.Script.Goodbye = goodbye
			_, err = projects.UpdateAgent(ctx, n.actor(), a.ID, settings)
		}
		if err == nil && goodbye == "Bye." {
			_, err = projects.PublishAgent(ctx, n.actor(), a.ID, project.Publishing{Note: "Says goodbye"})
		}
	}
	if err != nil {
		n.w.t.Fatal(err)
	}
	return a.ID
}

func (n *tenant) freshConnection() uuid.UUID {
	id := newID()
	n.w.exec(`insert into connection (id, organization_id, kind, name, account, credentials)
		select $1, organization_id, kind, name, $1::uuid::text, credentials from connection where id = $2`, id,
		n.connection)
	return id
}

// freshModel is a connection to the sandbox's stand-in for a language model.
func (n *tenant) freshModel() uuid.UUID {
	id := newID()
	n.w.exec(`insert into model_connection (id, organization_id, name, provider, key, model, streams)
		select $1::uuid, $2::uuid, 'Stand-in' || case when exists (
			select from model_connection where organization_id = $2) then ' ' || $1::uuid else '' end,
			'sandbox', '', 'sandbox', 20`, id, n.organization)
	return id
}

// analyzableCall is a call an hour ago of an agent whose calls a language model analyzes.
func (n *tenant) analyzableCall() uuid.UUID {
	id, agent := n.newCall(), n.freshAgent()
	n.w.exec(`update agent set script = script || jsonb_build_object('analysis', jsonb_build_object(
		'connection_id', $2::uuid)) where id = $1`, agent, n.freshModel())
	n.w.exec(`update call set agent_id = $2, answered_at = answered_at - interval '1 hour',
		ended_at = ended_at - interval '1 hour' where id = $1`, id, agent)
	return id
}

// freshTool is a tool whose address the guard refuses.
func (n *tenant) freshTool() uuid.UUID {
	id := newID()
	n.w.exec(`insert into tool (id, organization_id, name, description, parameters, url, headers, header_names, secret,
			timeout_seconds)
		values ($1, $2, 'tool_' || replace($1::uuid::text, '-', ''), 'Looks something up.',
			'{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}',
			'https://127.0.0.1/tool', '', '{Authorization}', '', 3)`, id, n.organization)
	return id
}

// rotatedConnection is a connection whose previous token is still accepted.
func (n *tenant) rotatedConnection() uuid.UUID {
	id := n.freshConnection()
	n.w.exec(`update connection set previous_token = credentials, previous_token_until = clock() + interval '1 day'
		where id = $1`, id)
	return id
}

func (n *tenant) freshNumber() uuid.UUID {
	id := newID()
	n.w.exec(`insert into phone_number (id, organization_id, connection_id, phone_number, name)
		select $1, organization_id, connection_id, $3, name from phone_number where id = $2`, id, n.number,
		n.w.freshNumber("+1502"))
	return id
}

// connectedNumber is a number of a connection whose credentials can be read.
func (n *tenant) connectedNumber() uuid.UUID {
	n.w.exec(`update connection set credentials = $2 where id = $1`, n.connection,
		apptest.Vault(n.w.t).Seal([]byte(`{}`), seal.Cell{
			Organization: n.organization, Table: "connection", Column: "credentials", Row: n.connection.String(),
		}))
	return n.freshNumber()
}

// freshPool is a pool with a fresh number.
func (n *tenant) freshPool() uuid.UUID {
	number := n.freshNumber().String()
	pool, err := n.w.app.Projects.CreateNumberPool(n.w.t.Context(), account.System(n.organization),
		project.NumberPoolSettings{Name: "Local " + number, PhoneNumberIDs: []string{number}})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return pool.ID
}

// freshDestination is a destination of a project of its own.
func (n *tenant) freshDestination() uuid.UUID {
	d, err := n.w.app.Projects.CreateDestination(n.w.t.Context(), account.System(n.organization),
		project.DestinationSettings{
			ProjectID: n.freshProject().String(), Name: "Front desk", PhoneNumber: "+13125550161",
		})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return d.ID
}

// restingNumber is the number of a pool, which rests.
func (n *tenant) restingNumber() uuid.UUID {
	id := n.freshNumber()
	_, err := n.w.app.Projects.CreateNumberPool(n.w.t.Context(), account.System(n.organization),
		project.NumberPoolSettings{
			Name: "Resting " + id.String(), PhoneNumberIDs: []string{id.String()},
			Rest: &project.Rest{BelowPercent: 50, Calls: 10, Hours: 3},
		})
	if err != nil {
		n.w.t.Fatal(err)
	}
	n.w.exec(`update phone_number set rest_until = clock() + interval '3 hours' where id = $1`, id)
	return id
}

// refusedNumber is a number from which the carrier refuses calls.
func (n *tenant) refusedNumber() uuid.UUID {
	id := n.freshNumber()
	n.w.exec(`insert into caller_refusal (phone_number_id, organization_id, times, reason, last_at)
		values ($1, $2, 5, 'not verified', clock())`, id, n.organization)
	return id
}

// failingConnection is a connection that refused its last calls.
func (n *tenant) failingConnection() uuid.UUID {
	id := n.freshConnection()
	n.w.exec(`update connection set consecutive_errors = $2, last_error = 'Authenticate', last_error_at = clock()
		where id = $1`, id, project.MostErrors)
	return id
}

func (n *tenant) pausedCampaign() uuid.UUID {
	id := n.newCampaign()
	n.w.exec(`update campaign set status = 'paused' where id = $1`, id)
	return id
}

func (n *tenant) draftCampaign() uuid.UUID {
	id := n.newCampaign()
	n.w.exec(`alter table campaign disable trigger campaign_move`)
	n.w.exec(`update campaign set status = 'draft', dial_at = null where id = $1`, id)
	n.w.exec(`alter table campaign enable trigger campaign_move`)
	return id
}

func form(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	return v
}

// visits returns a visit for every route.
func visits() map[string]visit {
	const unused = "needs nobody signed in"
	return map[string]visit{
		"POST /theme":   {only: unused},
		"GET /setup":    {only: unused},
		"POST /setup":   {only: unused},
		"GET /sign-in":  {only: unused},
		"POST /sign-in": {only: unused},

		"GET /sign-in/sso":                 {only: unused},
		"POST /sign-in/sso":                {only: unused},
		"GET /sign-in/sso/{address}":       {only: unused},
		"GET /sign-in/sso/{address}/start": {only: unused},
		"GET /sign-in/sso/callback/{id}":   {only: unused},

		"GET /docs":        {only: unused},
		"GET /docs/":       {only: unused},
		"GET /docs/search": {only: unused},
		"GET /docs/{page}": {only: unused},
		"GET /llms.txt":    {only: unused},

		"GET /settings":  {want: http.StatusSeeOther},
		"GET /settings/": {want: http.StatusSeeOther},

		"GET /sign-in/code":    {only: unused},
		"POST /sign-in/code":   {only: unused},
		"GET /invitation":      {only: unused},
		"POST /invitation":     {only: unused},
		"GET /reset-password":  {only: unused},
		"POST /reset-password": {only: unused},

		"POST /sign-out":        {},
		"POST /invitation/join": {only: "an invitation is for one person"},
		"GET /organizations":    {},
		"POST /organizations/{id}/switch": {path: func(n *tenant) string {
			return "/organizations/" + n.organization.String() + "/switch"
		}},

		"GET /":       {},
		"GET /events": {},

		"GET /campaigns":      {},
		"POST /sample":        {},
		"POST /sample/remove": {},

		"GET /campaigns/events":          {},
		"GET /campaigns/new":             {},
		"POST /campaigns":                {form: form("action", "check", "recipients", "+15005550001")},
		"GET /campaigns/{id}":            {path: of((*tenant).newCampaign, "/campaigns/{id}")},
		"GET /campaigns/{id}/events":     {path: of((*tenant).newCampaign, "/campaigns/{id}/events")},
		"GET /campaigns/{id}/report":     {path: of((*tenant).newCampaign, "/campaigns/{id}/report")},
		"GET /campaigns/{id}/log":        {path: of((*tenant).newCampaign, "/campaigns/{id}/log")},
		"GET /campaigns/{id}/log/events": {path: of((*tenant).newCampaign, "/campaigns/{id}/log/events")},
		"GET /campaigns/{id}/edit":       {path: of((*tenant).newCampaign, "/campaigns/{id}/edit")},
		"POST /campaigns/{id}/edit": {
			path: of((*tenant).newCampaign, "/campaigns/{id}/edit"),
			form: form("name", "Changed", "calling_hours", "always", "retry.max_attempts", "2",
				"retry.delays_minutes", "30", "retry.on", "busy", "max_concurrency", "3", "calls_per_second", "1",
				"voicemail_action", "hang_up", "ring_timeout_seconds", "30", "max_duration_seconds", "600"),
		},
		"POST /campaigns/{id}/test-call": {path: of((*tenant).draftCampaign, "/campaigns/{id}/test-call")},
		"POST /campaigns/{id}/start":     {path: of((*tenant).draftCampaign, "/campaigns/{id}/start")},
		"POST /campaigns/{id}/pause":     {path: of((*tenant).newCampaign, "/campaigns/{id}/pause")},
		"GET /campaigns/{id}/retry":      {path: of((*tenant).canceledCampaign, "/campaigns/{id}/retry")},
		"POST /campaigns/{id}/retry":     {path: of((*tenant).canceledCampaign, "/campaigns/{id}/retry")},
		"GET /campaigns/{id}/budget":     {path: of((*tenant).newCampaign, "/campaigns/{id}/budget")},
		"POST /campaigns/{id}/budget": {
			path: of((*tenant).newCampaign, "/campaigns/{id}/budget"),
			form: form("budget.amount", "50", "budget.currency", "USD"),
		},
		"POST /campaigns/{id}/resume":        {path: of((*tenant).pausedCampaign, "/campaigns/{id}/resume")},
		"GET /campaigns/{id}/cancel":         {path: of((*tenant).newCampaign, "/campaigns/{id}/cancel")},
		"POST /campaigns/{id}/cancel":        {path: of((*tenant).newCampaign, "/campaigns/{id}/cancel")},
		"GET /campaigns/{id}/delete":         {path: of((*tenant).canceledCampaign, "/campaigns/{id}/delete")},
		"POST /campaigns/{id}/delete":        {path: of((*tenant).canceledCampaign, "/campaigns/{id}/delete")},
		"GET /campaigns/{id}/recipients/new": {path: of((*tenant).newCampaign, "/campaigns/{id}/recipients/new")},
		"POST /campaigns/{id}/recipients": {
			path: of((*tenant).newCampaign, "/campaigns/{id}/recipients"), form: form("recipients", "+15005550009\n"),
		},

		"POST /campaigns/{id}/recipients/selected": {
			path: of((*tenant).newCampaign, "/campaigns/{id}/recipients/selected"),
			form: form("action", "cancel", "matching", "on", "confirmed", "yes", "list", "/campaigns"),
			want: http.StatusSeeOther,
		},
		"POST /campaigns/{id}/recipients/unprioritize": {
			path: of((*tenant).newCampaign, "/campaigns/{id}/recipients/unprioritize"),
			form: form("at", "2026-05-01T10:00:00Z", "list", "/campaigns"),
		},
		"GET /campaigns/{id}/recipients/{recipient_id}/cancel":      {path: recipientPath("/cancel")},
		"POST /campaigns/{id}/recipients/{recipient_id}/cancel":     {path: recipientPath("/cancel")},
		"POST /campaigns/{id}/recipients/{recipient_id}/prioritize": {path: recipientPath("/prioritize")},

		"GET /campaigns/{id}/recipients/export": {path: of((*tenant).newCampaign, "/campaigns/{id}/recipients/export")},

		"GET /live":                 {path: of((*tenant).newModeledCall, "/live?call={id}")},
		"GET /live/events":          {},
		"GET /calls":                {},
		"GET /calls/events":         {},
		"GET /calls/export":         {},
		"GET /calls/new":            {},
		"POST /calls":               {form: form("action", "variables")},
		"GET /costs/export":         {},
		"GET /analysis":             {},
		"GET /analysis/answers":     {},
		"GET /calls/{id}":           {path: of((*tenant).newCall, "/calls/{id}")},
		"GET /calls/{id}/events":    {path: of((*tenant).newCall, "/calls/{id}/events")},
		"GET /calls/{id}/recording": {path: of((*tenant).newRecordedCall, "/calls/{id}/recording")},
		"GET /calls/{id}/sound": { // of a call that has ended; the sound of one that goes on has no end
			path: of((*tenant).newCall, "/calls/{id}/sound"), want: http.StatusConflict,
		},
		"POST /calls/{id}/listening": {path: of((*tenant).newAudibleCall, "/calls/{id}/listening")},
		"GET /calls/{id}/hang-up":    {path: of((*tenant).newLiveCall, "/calls/{id}/hang-up")},
		"POST /calls/{id}/hang-up":   {path: of((*tenant).newLiveCall, "/calls/{id}/hang-up")},
		"GET /calls/{id}/edit":       {path: of((*tenant).newScheduledCall, "/calls/{id}/edit")},
		"POST /calls/{id}/edit": {
			path: of((*tenant).newScheduledCall, "/calls/{id}/edit"), form: form("action", "window"),
		},
		"GET /calls/{id}/cancel":    {path: of((*tenant).newScheduledCall, "/calls/{id}/cancel")},
		"POST /calls/{id}/cancel":   {path: of((*tenant).newScheduledCall, "/calls/{id}/cancel")},
		"POST /calls/{id}/transfer": {path: of((*tenant).newModeledCall, "/calls/{id}/transfer")},
		"POST /calls/{id}/notes": {
			path: of((*tenant).newModeledCall, "/calls/{id}/notes"), form: form("text", "The nurse comes at four"),
		},
		"POST /columns": {
			form: form("list", "calls", "offered", "agent", "column", "agent", "back", "/calls"),
		},
		"POST /saved-filters":             {form: form("list", "/calls", "name", "Mine", "query", "outcome=busy")},
		"POST /saved-filters/{id}/delete": {only: "the filter must be the visitor's own"},
		"POST /calls/review": {
			form: form("action", "review", "list", "/calls"), want: http.StatusSeeOther,
		},
		"POST /calls/{id}/review": {
			path: of((*tenant).newCall, "/calls/{id}/review"), form: form("reviewed", "on"),
		},
		"POST /calls/{id}/analyses":      {path: of((*tenant).analyzableCall, "/calls/{id}/analyses")},
		"GET /calls/{id}/follow-ups/new": {path: of((*tenant).newCall, "/calls/{id}/follow-ups/new")},
		"POST /calls/{id}/follow-ups": {
			path: of((*tenant).newCall, "/calls/{id}/follow-ups"), form: form("reason", "Send the invoice again"),
		},

		"GET /alerts":                      {},
		"GET /alerts/settings":             {},
		"POST /alerts/settings":            {form: form("kinds", "webhook_disabled")},
		"GET /search":                      {path: fixed("/search?q=spring")},
		"GET /people/{id}":                 {path: ofPerson("")},
		"POST /people/{id}/notes":          {path: ofPerson("/notes"), form: form("text", "Prefers mornings")},
		"GET /people/{id}/notes/{note_id}": {path: ofNote("")},
		"POST /people/{id}/notes/{note_id}": {
			path: ofNote(""), form: form("text", "Prefers evenings", "revision", "1"),
		},
		"GET /people/{id}/notes/{note_id}/delete":  {path: ofNote("/delete")},
		"POST /people/{id}/notes/{note_id}/delete": {path: ofNote("/delete")},

		"GET /follow-ups":         {path: of((*tenant).newFollowUp, "/follow-ups")},
		"GET /follow-ups/export":  {},
		"GET /follow-ups/{id}":    {path: of((*tenant).newFollowUp, "/follow-ups/{id}")},
		"POST /follow-ups/done":   {form: form("id", "00000000-0000-7000-8000-000000000000")},
		"POST /follow-ups/reopen": {form: form("id", "00000000-0000-7000-8000-000000000000")},
		"POST /follow-ups/assign": {
			form: form("id", "00000000-0000-7000-8000-000000000000", "assignee_id", "me"),
		},
		"POST /follow-ups/assign/undo": {
			form: form("batch", "00000000-0000-7000-8000-000000000000", "assignee_id", "me"),
		},
		"POST /follow-ups/{id}": {
			path: of((*tenant).newFollowUp, "/follow-ups/{id}"), form: form("note", "Called"),
		},
		"POST /follow-ups/{id}/take":   {path: of((*tenant).newFollowUp, "/follow-ups/{id}/take")},
		"POST /follow-ups/{id}/done":   {path: of((*tenant).newFollowUp, "/follow-ups/{id}/done")},
		"POST /follow-ups/{id}/reopen": {path: of((*tenant).doneFollowUp, "/follow-ups/{id}/reopen")},

		"GET /messaging":                {path: of((*tenant).connected, "/messaging")},
		"GET /messaging/events":         {},
		"GET /messaging/templates":      {path: of((*tenant).connected, "/messaging/templates")},
		"GET /messaging/templates/{id}": {path: of((*tenant).newTemplate, "/messaging/templates/{id}")},
		"GET /messaging/messages":       {path: of((*tenant).newMessage, "/messaging/messages")},
		"GET /messaging/messages/new": {
			path: of((*tenant).newTemplate, "/messaging/messages/new?template_id={id}"),
		},
		"POST /messaging/messages": {
			form: form("external_id", whatsapp.Number250, "to_number", "+15005559000"),
		},
		"GET /messaging/messages/{id}":         {path: of((*tenant).newMessage, "/messaging/messages/{id}")},
		"GET /messaging/messages/{id}/events":  {path: of((*tenant).newMessage, "/messaging/messages/{id}/events")},
		"GET /messaging/messages/{id}/cancel":  {path: of((*tenant).newMessage, "/messaging/messages/{id}/cancel")},
		"POST /messaging/messages/{id}/cancel": {path: of((*tenant).newMessage, "/messaging/messages/{id}/cancel")},

		"GET /webhooks":        {},
		"GET /webhooks/new":    {},
		"GET /webhooks/verify": {},
		"POST /webhooks": {
			path: of((*tenant).noWebhooks, "/webhooks"),
			form: form("name", "Bridge", "url", "https://hooks.example.com", "all_events", "1"),
			want: http.StatusCreated,
		},
		"GET /webhooks/{id}":        {path: of((*tenant).freshWebhook, "/webhooks/{id}")},
		"GET /webhooks/{id}/events": {path: of((*tenant).freshWebhook, "/webhooks/{id}/events")},
		"GET /webhooks/{id}/edit":   {path: of((*tenant).freshWebhook, "/webhooks/{id}/edit")},
		"POST /webhooks/{id}": {
			path: of((*tenant).freshWebhook, "/webhooks/{id}"),
			form: form("name", "Bridge", "url", "https://hooks.example.com", "events", "call.*"),
		},
		"POST /webhooks/{id}/pause":  {path: of((*tenant).freshWebhook, "/webhooks/{id}/pause")},
		"POST /webhooks/{id}/resume": {path: of((*tenant).freshWebhook, "/webhooks/{id}/resume")},
		"GET /webhooks/{id}/test":    {path: of((*tenant).freshWebhook, "/webhooks/{id}/test")},
		"POST /webhooks/{id}/test": {
			path: of((*tenant).freshWebhook, "/webhooks/{id}/test"), form: form("event_type", "webhook.test"),
		},
		"GET /webhooks/{id}/recover": {path: of((*tenant).freshWebhook, "/webhooks/{id}/recover")},
		"POST /webhooks/{id}/recover": {
			path: of((*tenant).freshWebhook, "/webhooks/{id}/recover"), form: form("since", "hour"),
		},
		"GET /webhooks/{id}/rotate-secret": {path: of((*tenant).freshWebhook, "/webhooks/{id}/rotate-secret")},
		"POST /webhooks/{id}/rotate-secret": {
			path: of((*tenant).freshWebhook, "/webhooks/{id}/rotate-secret"),
			form: form("overlap", "0", "mark", "of another secret"),
		},
		"GET /webhooks/{id}/delete":  {path: of((*tenant).freshWebhook, "/webhooks/{id}/delete")},
		"POST /webhooks/{id}/delete": {path: of((*tenant).freshWebhook, "/webhooks/{id}/delete")},

		"GET /webhooks/{id}/deliveries/{delivery_id}": {
			path: ofDelivery("/webhooks/{id}/deliveries/{delivery_id}"),
		},
		"GET /webhooks/{id}/deliveries/{delivery_id}/events": {
			path: ofDelivery("/webhooks/{id}/deliveries/{delivery_id}/events"),
		},
		"POST /webhooks/{id}/deliveries/resend": {
			path: of((*tenant).freshWebhook, "/webhooks/{id}/deliveries/resend"),
			form: form("id", "00000000-0000-7000-8000-000000000000"),
		},
		"POST /webhooks/{id}/deliveries/{delivery_id}/resend": {
			path: ofDelivery("/webhooks/{id}/deliveries/{delivery_id}/resend"),
		},

		"GET /settings/api-keys":      {},
		"GET /settings/api-keys/new":  {},
		"POST /settings/api-keys":     {form: form("name", "Export"), want: http.StatusCreated},
		"GET /settings/api-keys/{id}": {path: of((*tenant).freshKey, "/settings/api-keys/{id}")},
		"POST /settings/api-keys/{id}": {
			path: of((*tenant).freshKey, "/settings/api-keys/{id}"),
			form: form("name", "Export", "networks", "203.0.113.7"),
		},
		"GET /settings/api-keys/{id}/rotate": {path: of((*tenant).freshKey, "/settings/api-keys/{id}/rotate")},
		"POST /settings/api-keys/{id}/rotate": {
			path: of((*tenant).freshKey, "/settings/api-keys/{id}/rotate"), form: form("overlap", "3600"),
			want: http.StatusCreated,
		},
		"GET /settings/api-keys/{id}/revoke":  {path: of((*tenant).freshKey, "/settings/api-keys/{id}/revoke")},
		"POST /settings/api-keys/{id}/revoke": {path: of((*tenant).freshKey, "/settings/api-keys/{id}/revoke")},

		"GET /settings/projects":     {},
		"GET /settings/projects/new": {},
		"POST /settings/projects": {
			form: form("name", "New", "time_zone", "UTC", "region", "US", "calling_hours", "always"),
		},
		"GET /settings/projects/{id}": {path: of((*tenant).freshProject, "/settings/projects/{id}")},
		"POST /settings/projects/{id}": {
			path: of((*tenant).freshProject, "/settings/projects/{id}"),
			form: form("name", "Newer", "time_zone", "UTC", "region", "US", "calling_hours", "always"),
		},
		"GET /settings/projects/{id}/remove":  {path: of((*tenant).freshProject, "/settings/projects/{id}/remove")},
		"POST /settings/projects/{id}/remove": {path: of((*tenant).freshProject, "/settings/projects/{id}/remove")},

		"GET /settings/destinations":     {path: of((*tenant).freshDestination, "/settings/destinations")},
		"GET /settings/destinations/new": {},
		"POST /settings/destinations":    {form: form("name", "Front desk", "address", "+13125550161")},
		"GET /settings/destinations/{id}": {
			path: of((*tenant).freshDestination, "/settings/destinations/{id}"),
		},
		"POST /settings/destinations/{id}": {
			path: of((*tenant).freshDestination, "/settings/destinations/{id}"),
			form: form("name", "Back office", "address", "sip:office@example.com"),
		},
		"GET /settings/destinations/{id}/remove": {
			path: of((*tenant).freshDestination, "/settings/destinations/{id}/remove"),
		},
		"POST /settings/destinations/{id}/remove": {
			path: of((*tenant).freshDestination, "/settings/destinations/{id}/remove"),
		},

		"GET /agents":      {},
		"GET /agents/new":  {},
		"POST /agents":     {form: agentForm()},
		"GET /agents/try":  {want: http.StatusSeeOther},
		"POST /agents/try": {form: agentForm(), want: http.StatusOK},
		"GET /agents/{id}": {path: of((*tenant).freshAgent, "/agents/{id}")},
		"POST /agents/{id}": {
			path: of((*tenant).freshAgent, "/agents/{id}"), form: agentForm(),
		},
		"POST /agents/{id}/publish": {
			path: of((*tenant).publishedAgent, "/agents/{id}/publish"), form: form("version", "1"),
		},
		"GET /agents/{id}/versions": {path: of((*tenant).publishedAgent, "/agents/{id}/versions")},
		"GET /agents/{id}/versions/{number}": {
			path: of((*tenant).publishedAgent, "/agents/{id}/versions/2"),
		},
		"GET /agents/{id}/tests": {path: of((*tenant).freshAgent, "/agents/{id}/tests")},
		"POST /agents/{id}/tests": {
			path: of((*tenant).freshAgent, "/agents/{id}/tests"),
			form: form("version", "", "repeats", "1", "difficult_callees", "on"),
		},
		"POST /agents/{id}/tests/required": {
			path: of((*tenant).freshAgent, "/agents/{id}/tests/required"), form: form("required", "on"),
		},
		"GET /agents/{id}/tests/cases/new": {
			path: of((*tenant).freshAgent, "/agents/{id}/tests/cases/new"),
		},
		"POST /agents/{id}/tests/cases": {
			path: of((*tenant).freshAgent, "/agents/{id}/tests/cases"),
			form: form("name", "Confirms "+digits(newID(), 8), "recipient.kind", "steps",
				"recipient.steps[0].action", "say", "recipient.steps[0].text", "Yes.", "checks[0].kind", "opted_out",
				"checks[1].kind", "said", "checks[1].value", "(?i)thank you"),
		},
		"GET /agents/{id}/tests/cases/{case_id}": {path: ofTestCase("")},
		"POST /agents/{id}/tests/cases/{case_id}": {
			path: ofTestCase(""),
			form: form("name", "Confirms "+digits(newID(), 8), "recipient.kind", "steps",
				"recipient.steps[0].action", "say", "recipient.steps[0].text", "Yes.", "checks[0].kind", "opted_out",
				"checks[1].kind", "said", "checks[1].value", "(?i)thank you"),
		},
		"GET /agents/{id}/tests/cases/{case_id}/delete":  {path: ofTestCase("/delete")},
		"POST /agents/{id}/tests/cases/{case_id}/delete": {path: ofTestCase("/delete")},
		"GET /agents/{id}/tests/runs/{run_id}": {
			path: ofTestRun("/agents/{id}/tests/runs/{run_id}"),
		},
		"GET /agents/{id}/tests/runs/{run_id}/events": {
			path: ofTestRun("/agents/{id}/tests/runs/{run_id}/events"),
		},
		"POST /agents/{id}/tests/runs/{run_id}/cancel": {
			path: ofTestRun("/agents/{id}/tests/runs/{run_id}/cancel"),
		},
		"GET /agents/{id}/tests/runs/{run_id}/{attempt_id}": {
			path: ofTestRun("/agents/{id}/tests/runs/{run_id}/{attempt_id}"),
		},
		"GET /agents/{id}/discard":  {path: of((*tenant).publishedAgent, "/agents/{id}/discard")},
		"POST /agents/{id}/discard": {path: of((*tenant).publishedAgent, "/agents/{id}/discard")},
		"GET /agents/{id}/try":      {path: of((*tenant).freshAgent, "/agents/{id}/try")},
		"POST /agents/{id}/try": {
			path: of((*tenant).freshAgent, "/agents/{id}/try"), form: form("say", "yes"),
			want: http.StatusOK,
		},
		"GET /agents/{id}/call": {path: of((*tenant).freshAgent, "/agents/{id}/call")},
		"POST /agents/{id}/call": {
			path: of((*tenant).freshAgent, "/agents/{id}/call"), form: form("to_number", "+13125550199"),
			want: http.StatusUnprocessableEntity,
		},
		"GET /agents/{id}/remove":  {path: of((*tenant).freshAgent, "/agents/{id}/remove")},
		"POST /agents/{id}/remove": {path: of((*tenant).freshAgent, "/agents/{id}/remove")},

		"GET /number-pools/new": {path: func(n *tenant) string {
			n.freshNumber()
			return "/number-pools/new"
		}},
		"POST /number-pools": {form: form("name", "Local")},
		"GET /number-pools/{id}": {
			path: of((*tenant).freshPool, "/number-pools/{id}"),
		},
		"POST /number-pools/{id}": {
			path: of((*tenant).freshPool, "/number-pools/{id}"), form: form("name", "Near"),
		},
		"GET /number-pools/{id}/remove": {
			path: of((*tenant).freshPool, "/number-pools/{id}/remove"),
		},
		"POST /number-pools/{id}/remove": {
			path: of((*tenant).freshPool, "/number-pools/{id}/remove"),
		},
		"GET /phone-numbers":     {},
		"GET /phone-numbers/new": {},
		"POST /phone-numbers": {
			path: of((*tenant).useConnection, "/phone-numbers"),
			form: form("phone_number", "+15005559100", "name", "Second"),
		},
		"GET /phone-numbers/{id}": {path: of((*tenant).freshNumber, "/phone-numbers/{id}")},
		"POST /phone-numbers/{id}": {
			path: of((*tenant).freshNumber, "/phone-numbers/{id}"), form: form("name", "Third"),
		},
		"POST /phone-numbers/{id}/retry": {
			path: of((*tenant).freshNumber, "/phone-numbers/{id}/retry"),
		},
		"POST /phone-numbers/{id}/end-rest": {
			path: of((*tenant).restingNumber, "/phone-numbers/{id}/end-rest"),
		},
		"GET /phone-numbers/{id}/inbound": {
			path: of((*tenant).connectedNumber, "/phone-numbers/{id}/inbound"),
		},
		"POST /phone-numbers/{id}/inbound": {
			path: of((*tenant).connectedNumber, "/phone-numbers/{id}/inbound"),
			form: form("inbound", "reject", "calling_hours", "always"),
		},
		"GET /phone-numbers/{id}/inbound/set-up": {
			path: of((*tenant).connectedNumber, "/phone-numbers/{id}/inbound/set-up"),
		},
		"POST /phone-numbers/{id}/inbound/set-up": { // nothing is set at the carrier of tests
			path: of((*tenant).connectedNumber, "/phone-numbers/{id}/inbound/set-up"),
			form: form("revision", project.InboundSetUp{}.Revision()),
		},
		"GET /phone-numbers/{id}/sandbox-call": {
			path: of((*tenant).connectedNumber, "/phone-numbers/{id}/sandbox-call"),
		},
		"POST /phone-numbers/{id}/sandbox-call": {
			path: of((*tenant).connectedNumber, "/phone-numbers/{id}/sandbox-call"),
			form: form("who", "withheld", "caller", "silent"),
		},
		"GET /phone-numbers/{id}/remove": {
			path: of((*tenant).freshNumber, "/phone-numbers/{id}/remove"),
		},
		"POST /phone-numbers/{id}/remove": {
			path: of((*tenant).freshNumber, "/phone-numbers/{id}/remove"),
		},

		"GET /settings/integrations":              {},
		"GET /settings/integrations/new":          {},
		"POST /settings/integrations":             {form: form("carrier", "sandbox", "name", "Second line")},
		"GET /settings/integrations/whatsapp/new": {},
		"POST /settings/integrations/whatsapp": {
			path: of((*tenant).noWhatsApp, "/settings/integrations/whatsapp"),
			form: form("name", "Aster", "account", whatsapp.Account1K, "token", whatsappToken, "app_secret",
				whatsappToken),
		},
		"GET /settings/integrations/whatsapp/{id}": {
			path: of((*tenant).connected, "/settings/integrations/whatsapp/{id}"),
		},
		"GET /settings/integrations/whatsapp/{id}/edit": {
			path: of((*tenant).connected, "/settings/integrations/whatsapp/{id}/edit"),
		},
		"POST /settings/integrations/whatsapp/{id}": {
			path: of((*tenant).connected, "/settings/integrations/whatsapp/{id}"), form: form("name", "Aster again"),
		},
		"POST /settings/integrations/whatsapp/{id}/refresh": {
			path: of((*tenant).connected, "/settings/integrations/whatsapp/{id}/refresh"),
		},
		"GET /settings/integrations/whatsapp/{id}/disconnect": {
			path: of((*tenant).connected, "/settings/integrations/whatsapp/{id}/disconnect"),
		},
		"POST /settings/integrations/whatsapp/{id}/disconnect": {
			path: of((*tenant).connected, "/settings/integrations/whatsapp/{id}/disconnect"),
		},
		"GET /settings/integrations/models/new": {},
		"POST /settings/integrations/models": {
			form: form("provider", "sandbox", "name", "A new stand-in", "model", "sandbox", "streams", "20"),
		},
		"GET /settings/integrations/models/{id}": {
			path: of((*tenant).freshModel, "/settings/integrations/models/{id}"),
		},
		"POST /settings/integrations/models/{id}": {
			path: of((*tenant).freshModel, "/settings/integrations/models/{id}"),
			form: form("name", "Renamed", "model", "sandbox-slow", "streams", "5"),
		},
		"POST /settings/integrations/models/{id}/check": {
			path: of((*tenant).freshModel, "/settings/integrations/models/{id}/check"),
		},
		"POST /settings/integrations/models/{id}/retry": {
			path: of((*tenant).freshModel, "/settings/integrations/models/{id}/retry"),
		},
		"GET /settings/integrations/models/{id}/remove": {
			path: of((*tenant).freshModel, "/settings/integrations/models/{id}/remove"),
		},
		"POST /settings/integrations/models/{id}/remove": {
			path: of((*tenant).freshModel, "/settings/integrations/models/{id}/remove"),
		},
		"GET /settings/tools":     {},
		"GET /settings/tools/new": {},
		"POST /settings/tools": {
			form: form("name", "look_up", "description", "Looks up.", "url", "https://example.com/tool",
				"timeout_seconds",
				"3"),
			want: http.StatusCreated,
		},
		"GET /settings/tools/{id}": {path: of((*tenant).freshTool, "/settings/tools/{id}")},
		"POST /settings/tools/{id}": {
			path: of((*tenant).freshTool, "/settings/tools/{id}"),
			form: form("name", "look_up_more", "description", "Looks up.", "url", "https://example.com/tool", "headers",
				"X-Key: 1", "timeout_seconds", "4", "values", "/a = b"),
		},
		"GET /settings/tools/{id}/try": {path: of((*tenant).freshTool, "/settings/tools/{id}/try")},
		"POST /settings/tools/{id}/try": {
			path: of((*tenant).freshTool, "/settings/tools/{id}/try"), form: form("arguments", `{"day":"monday"}`),
			want: http.StatusOK,
		},
		"GET /settings/tools/{id}/rotate-secret": {path: of((*tenant).freshTool, "/settings/tools/{id}/rotate-secret")},
		"POST /settings/tools/{id}/rotate-secret": {
			path: of((*tenant).freshTool, "/settings/tools/{id}/rotate-secret"),
			form: form("mark", "of another secret"),
		},
		"GET /settings/tools/{id}/remove":  {path: of((*tenant).freshTool, "/settings/tools/{id}/remove")},
		"POST /settings/tools/{id}/remove": {path: of((*tenant).freshTool, "/settings/tools/{id}/remove")},
		"GET /settings/integrations/{id}":  {path: of((*tenant).freshConnection, "/settings/integrations/{id}")},
		"POST /settings/integrations/{id}": {
			path: of((*tenant).freshConnection, "/settings/integrations/{id}"), form: form("name", "Third line"),
		},
		"GET /settings/integrations/{id}/previous-token/remove": {
			path: of((*tenant).rotatedConnection, "/settings/integrations/{id}/previous-token/remove"),
		},
		"POST /settings/integrations/{id}/previous-token/remove": {
			path: of((*tenant).rotatedConnection, "/settings/integrations/{id}/previous-token/remove"),
		},
		"POST /settings/integrations/{id}/check": {
			path: of((*tenant).freshConnection, "/settings/integrations/{id}/check"),
		},
		"POST /settings/integrations/{id}/retry": {
			path: of((*tenant).freshConnection, "/settings/integrations/{id}/retry"),
		},
		"GET /settings/integrations/{id}/remove": {
			path: of((*tenant).freshConnection, "/settings/integrations/{id}/remove"),
		},
		"POST /settings/integrations/{id}/remove": {
			path: of((*tenant).freshConnection, "/settings/integrations/{id}/remove"),
		},

		"GET /do-not-call":           {},
		"GET /do-not-call/new":       {},
		"POST /do-not-call":          {form: form("phone_number", "+13125550142")},
		"GET /do-not-call/export":    {},
		"GET /do-not-call/import":    {},
		"POST /do-not-call/import":   {want: http.StatusUnprocessableEntity}, // the form has no file
		"GET /do-not-call/lists":     {path: of((*tenant).newSubscribedList, "/do-not-call/lists")},
		"GET /do-not-call/lists/new": {},
		"GET /do-not-call/lists/events": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists/events"),
		},
		"GET /do-not-call/lists/{id}/events": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists/{id}/events"),
		},
		"POST /do-not-call/lists": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists"), form: subscribedListForm("Registry"),
		},
		"GET /do-not-call/lists/{id}": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists/{id}"),
		},
		"POST /do-not-call/lists/{id}": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists/{id}"),
			form: subscribedListForm("Another registry"),
		},
		"GET /do-not-call/lists/{id}/rows": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists/{id}/rows"),
		},
		"POST /do-not-call/lists/{id}/fetch": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists/{id}/fetch"),
		},
		"GET /do-not-call/lists/{id}/apply": {
			path: of((*tenant).newHeldBackList, "/do-not-call/lists/{id}/apply"),
		},
		"POST /do-not-call/lists/{id}/apply": {
			path: of((*tenant).newHeldBackList, "/do-not-call/lists/{id}/apply"),
		},
		"GET /do-not-call/lists/{id}/remove": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists/{id}/remove"),
		},
		"POST /do-not-call/lists/{id}/remove": {
			path: of((*tenant).newSubscribedList, "/do-not-call/lists/{id}/remove"),
		},
		"GET /settings/erasures":           {},
		"POST /settings/erasures":          {form: form("phone_number", "+13125550142", "confirm", "erase")},
		"GET /settings/evidence":           {},
		"POST /settings/evidence":          {form: form("phone_number", "+13125550142"), want: http.StatusOK},
		"POST /settings/evidence/download": {form: form("phone_number", "+13125550142"), want: http.StatusOK},
		"POST /do-not-call/remove": {
			form: form("id", "00000000-0000-7000-8000-000000000000"), want: http.StatusOK, // it asks first
		},
		"POST /do-not-call/restore": {form: form("batch", "00000000-0000-7000-8000-000000000000")},
		"GET /do-not-call/{id}/remove": {
			path: of((*tenant).newSuppression, "/do-not-call/{id}/remove"),
		},
		"POST /do-not-call/{id}/remove": {
			path: of((*tenant).newSuppression, "/do-not-call/{id}/remove"),
			form: form("reason", "asked"),
		},

		"GET /settings/members":        {path: of((*tenant).newInvitation, "/settings/members")},
		"GET /settings/members/invite": {},
		"POST /settings/members/invite": {
			path: of((*tenant).noInvitations, "/settings/members/invite"),
			form: form("email", "new@example.com", "role", "staff"), want: http.StatusCreated,
		},
		"GET /settings/members/{id}": {path: of((*tenant).freshMember, "/settings/members/{id}")},
		"POST /settings/members/{id}/role": {
			path: of((*tenant).freshMember, "/settings/members/{id}/role"), form: form("role", "admin"),
		},
		"GET /settings/members/{id}/remove": {
			path: of((*tenant).freshMember, "/settings/members/{id}/remove"),
		},
		"POST /settings/members/{id}/remove": {
			path: of((*tenant).freshMember, "/settings/members/{id}/remove"),
		},
		"POST /settings/members/{id}/reset-link": {
			path: of((*tenant).freshMember, "/settings/members/{id}/reset-link"), want: http.StatusCreated,
		},
		"GET /settings/members/{id}/reset-second-factor": {
			path: of((*tenant).freshMember, "/settings/members/{id}/reset-second-factor"),
		},
		"POST /settings/members/{id}/reset-second-factor": {
			path: of((*tenant).freshMember, "/settings/members/{id}/reset-second-factor"),
		},
		"POST /settings/invitations/{id}/renew": {
			path: of((*tenant).newInvitation, "/settings/invitations/{id}/renew"), want: http.StatusCreated,
		},
		"GET /settings/invitations/{id}/revoke": {
			path: of((*tenant).newInvitation, "/settings/invitations/{id}/revoke"),
		},
		"POST /settings/invitations/{id}/revoke": {
			path: of((*tenant).newInvitation, "/settings/invitations/{id}/revoke"),
		},

		"GET /settings/audit-log":        {},
		"GET /settings/audit-log/export": {},
		"GET /settings/audit-log/{id}":   {path: of((*tenant).newEntry, "/settings/audit-log/{id}")},

		"GET /settings/compliance":                {},
		"POST /settings/compliance/consent":       {form: form("consent_required", "on")},
		"POST /settings/organization/budget":      {form: form("budget.amount", "50", "budget.currency", "USD")},
		"POST /settings/organization/models":      {form: form("model_day.tokens", "50000")},
		"POST /settings/compliance/abandoned":     {form: form("abandoned_most", "3", "abandoned_least", "100")},
		"GET /settings/compliance/pre-dial-check": {},
		"POST /settings/compliance/pre-dial-check": {
			path: nil, form: form("url", "https://example.com/check", "on_failure", "wait"), want: http.StatusCreated,
		},
		"POST /settings/compliance/pre-dial-check/test": {
			path: of((*tenant).newCheck, "/settings/compliance/pre-dial-check/test"), want: http.StatusOK,
		},
		"POST /settings/compliance/pre-dial-check/enable": {
			path: of((*tenant).newCheck, "/settings/compliance/pre-dial-check/enable"),
		},
		"POST /settings/compliance/pre-dial-check/disable": {
			path: of((*tenant).newCheckThatIsOn, "/settings/compliance/pre-dial-check/disable"),
		},
		"GET /settings/compliance/pre-dial-check/rotate-secret": {
			path: of((*tenant).newCheck, "/settings/compliance/pre-dial-check/rotate-secret"),
		},
		"POST /settings/compliance/pre-dial-check/rotate-secret": {
			path: of((*tenant).newCheck, "/settings/compliance/pre-dial-check/rotate-secret"), form: form("mark", ""),
		},
		"GET /settings/compliance/pre-dial-check/remove": {
			path: of((*tenant).newCheck, "/settings/compliance/pre-dial-check/remove"),
		},
		"POST /settings/compliance/pre-dial-check/remove": {
			path: of((*tenant).newCheck, "/settings/compliance/pre-dial-check/remove"),
		},
		"POST /settings/compliance/rules":       {path: nil, form: form("apply", "on")},
		"GET /settings/compliance/rules/{rule}": {path: fixed("/settings/compliance/rules/us-fl-calls")},
		"POST /settings/compliance/rules/{rule}": {
			path: fixed("/settings/compliance/rules/us-fl-calls"), form: form("use", "off", "reason", "Our lawyer"),
		},
		"GET /settings/compliance/own-rules/new": {},
		"POST /settings/compliance/own-rules": {
			path: nil, form: form("place", "DE", "calls", "2", "reason", "A promise"),
		},
		"GET /settings/compliance/own-rules/{rule}/remove":  {path: (*tenant).newOwnRule},
		"POST /settings/compliance/own-rules/{rule}/remove": {path: (*tenant).newOwnRule},

		"GET /settings/sign-in": {},
		"POST /settings/sign-in": {
			form: form("session_idle_minutes", "30", "session_hours", "8", "session_stay_days", "0"),
		},
		"GET /settings/sign-in/sso":  {},
		"POST /settings/sign-in/sso": {path: (*tenant).noSignOn, form: signOnForm()},
		"GET /settings/sign-in/sso/remove": {path: func(n *tenant) string {
			return n.signOn() + "/remove"
		}},
		"POST /settings/sign-in/sso/remove": {path: func(n *tenant) string {
			return n.signOn() + "/remove"
		}},
		"GET /settings/organization":                {},
		"POST /settings/organization/limits":        {path: nil, form: form("max_daily_attempts", "3")},
		"GET /settings/organization/stop-calling":   {},
		"POST /settings/organization/stop-calling":  {path: nil, form: form("name", "Aster")},
		"POST /settings/organization/allow-calling": {path: nil, form: form()},
		"POST /settings/organization": {
			path: nil, form: form("name", "Aster", "time_zone", "America/Denver", "region", "US"),
		},

		"GET /profile":                               {},
		"POST /profile":                              {form: form("name", "Somebody")},
		"GET /profile/second-factor/new":             {},
		"POST /profile/second-factor":                {only: "takes a code of an app"},
		"GET /profile/second-factor/recovery-codes":  {},
		"POST /profile/second-factor/recovery-codes": {form: form("password", password), want: http.StatusConflict},
		"GET /profile/second-factor/off":             {},
		"POST /profile/second-factor/off":            {form: form("password", password), want: http.StatusConflict},
		"POST /profile/password": {
			form: form("current_password", password, "new_password", password),
		},
		"POST /profile/sessions/revoke-others": {},
		"POST /profile/sessions/{id}/revoke":   {only: "the session must be the visitor's own"},
	}
}

func (n *tenant) connected() uuid.UUID { return n.newWhatsApp().ID }

func (n *tenant) useConnection() uuid.UUID { return n.connection }

func agentForm() url.Values {
	return form("name", "Nora", "language", "en-US", "greeting", "Hello.",
		"questions[0].key", "ok", "questions[0].ask", "Well?", "questions[0].expect", "yes_no")
}

// TestRoutes visits every route without a session, as an admin of another organization, and
// with every role. A role without the route's right is refused, and no page shows it the way
// to such a route. A route without a line above fails the test.
func TestRoutes(t *testing.T) {
	t.Parallel()
	table := (&server{}).table()
	router := (&server{}).routes()
	all := visits()
	lines := map[string]route{}
	for _, line := range table {
		lines[line.method+" "+line.path] = line
	}
	err := chi.Walk(router, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if _, ok := lines["POST "+path]; ok && method == http.MethodGet && !pagesOf(table)[path] {
			return nil // leads to the page with the form: TestAddressesOfFormsAreOpened
		}
		if _, ok := all[method+" "+path]; !ok {
			t.Errorf("%s %s is not visited", method, path)
		}
		if _, ok := lines[method+" "+path]; !ok {
			t.Errorf("%s %s is not in the table", method, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if _, ok := lines[name]; !ok {
			t.Errorf("%s is visited, but is no route", name)
		}
	}

	w := newWorld(t)
	aster, borealis := w.newTenant("Aster"), w.newTenant("Borealis")
	for _, n := range []*tenant{aster, borealis} {
		n.newCampaign()
		n.newCall()
		n.newLiveCall()
		n.newSuppression()
		n.newKey("standing")
	}
	members := []struct {
		person
		role account.Role
	}{
		{aster.staff, account.Staff}, {aster.newPerson("Mia", account.Manager), account.Manager},
		{aster.admin, account.Admin},
	}
	for _, line := range table {
		name := line.method + " " + line.path
		v, ok := all[name]
		if !ok || v.only != "" {
			continue
		}
		t.Run(strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
			path := func() string {
				if v.path != nil {
					return v.path(aster)
				}
				return line.path
			}
			want := v.want
			if want == 0 {
				if want = http.StatusOK; line.method == "POST" && v.form.Get("action") == "" {
					want = http.StatusSeeOther
				}
			}
			data := url.Values{}
			for k, values := range v.form {
				data[k] = values
			}
			if line.path == "/phone-numbers" {
				data.Set("connection_id", aster.connection.String())
			}
			if strings.HasPrefix(name, "POST /number-pools") {
				number := aster.freshNumber().String()
				data.Set("phone_number_ids", number)
				data.Set("name", data.Get("name")+" "+number)
			}
			if name == "POST /calls/{id}/transfer" {
				data.Set("destination_id", aster.newDestination().String())
			}
			if name == "POST /messaging/messages" {
				data.Set("template_id", aster.newTemplate().String())
			}
			visit := func(b *visitor) *shown {
				b.t = t
				if line.method == "GET" {
					return b.get(path())
				}
				if name == "POST /settings/destinations" { // names are unique in a project
					data.Set("project_id", aster.freshProject().String())
				}
				return b.post(path(), data)
			}

			// A visitor without a session is sent to sign in, which leads back to the
			// page. A posted form gets the sign-in form.
			p := path()
			b := w.newVisitor()
			b.t = t
			if line.method == "GET" {
				b.get(p).leads(frame.WithNext("/sign-in", p))
				b.header.Set("HX-Request", "true")
				if got := visit(b); got.status != http.StatusNoContent ||
					!strings.HasPrefix(got.header.Get("HX-Redirect"), "/sign-in") {
					t.Errorf("a part of a page asked for by nobody: %d, %v", got.status, got.header)
				}
			} else {
				const says = "You are not signed in, so nothing was saved"
				b.post(p, data).want(http.StatusUnauthorized).has(says)
				b.header.Set("HX-Request", "true")
				if got := visit(b).want(http.StatusUnauthorized).has(says); got.header.Get("HX-Retarget") != "body" {
					t.Errorf("a part of a page asked for by nobody: %v", got.header)
				}
			}

			// An admin of another organization finds nothing and changes nothing.
			if strings.Contains(line.path, "{id}") {
				p := path()
				before := w.count(`select count(*) from audit_entry where organization_id = $1`, aster.organization)
				stranger := borealis.as(borealis.admin)
				stranger.t = t
				var got *shown
				if line.method == "GET" {
					got = stranger.get(p)
				} else {
					got = stranger.post(p, data)
				}
				got.want(http.StatusNotFound).lacks("Aster")
				if after := w.count(
					`select count(*) from audit_entry where organization_id = $1`, aster.organization,
				); after != before {
					t.Errorf("another organization's admin left %d entries in the audit log", after-before)
				}
				malformed := strings.Replace(line.path, "{id}", "nonsense", 1)
				if line.method == "GET" {
					stranger.get(malformed).want(http.StatusNotFound)
				} else {
					stranger.post(malformed, data).want(http.StatusNotFound)
				}
			}

			for _, member := range members {
				got := visit(aster.as(member.person))
				if line.right != anybody && !member.role.May(line.right) {
					got.want(http.StatusForbidden).lacks("Aster spring", "Aster Robin")
					continue
				}
				got.want(want).lacks("Borealis")
				checkLinks(t, lines, router, got, member.role)
			}
		})
	}
}

// TestRightsOfRoutes checks the table of rights against the routes: each right admits to a
// route, and the routes that managers and staff may change something with are exactly these.
func TestRightsOfRoutes(t *testing.T) {
	t.Parallel()
	used := map[account.Right]bool{}
	refused := map[account.Role]map[string]bool{account.Manager: {}, account.Staff: {}}
	for _, line := range (&server{}).table() {
		if line.right == anybody {
			continue
		}
		used[line.right] = true
		if !account.Admin.May(line.right) {
			t.Errorf("%s %s refuses admins", line.method, line.path)
		}
		if account.Staff.May(line.right) && !account.Manager.May(line.right) {
			t.Errorf("%s %s admits staff and refuses managers", line.method, line.path)
		}
		if account.Role("").May(line.right) || account.Role("owner").May(line.right) {
			t.Errorf("%s %s admits unknown roles", line.method, line.path)
		}
		for role, areas := range refused {
			if !role.May(line.right) {
				areas[string(line.right)] = true
			}
		}
	}
	for _, line := range account.Rights() {
		if !used[line.Right] {
			t.Errorf("no route needs the right %s", line.Right)
		}
		if frame.ErrMissingRight(line.Right) == nil || line.Text == "" {
			t.Errorf("the right %s has no text", line.Right)
		}
	}
	for role, want := range map[account.Role][]string{
		account.Manager: {
			"allow_calling", "handle_requests", "manage_compliance", "manage_connections", "manage_keys",
			"manage_members", "manage_organization", "manage_projects", "manage_webhooks", "read_audit_log",
		},
		account.Staff: {
			"allow_calling", "handle_requests", "join_calls", "manage_agents", "manage_campaigns",
			"manage_compliance", "manage_connections", "manage_destinations", "manage_do_not_call", "manage_keys",
			"manage_members", "manage_organization", "manage_projects", "manage_webhooks", "place_calls",
			"read_audit_log", "stop_calling",
		},
	} {
		if got := slices.Sorted(maps.Keys(refused[role])); !slices.Equal(got, want) {
			t.Errorf("%s is refused %v, want %v", role, got, want)
		}
	}
}

// TestAddressesFromSettings checks that the pages that left the settings are found at their
// former addresses, also without a session, and with what a form sends.
func TestAddressesFromSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.newVisitor()
	for path, want := range map[string]string{
		"/settings/agents": "/agents", "/settings/do-not-call?search=312": "/do-not-call?search=312",
		"/settings/phone-numbers/1/inbound": "/phone-numbers/1/inbound",
		"/settings/number-pools/new":        "/number-pools/new",
	} {
		for _, method := range []string{"GET", "POST"} {
			v := b.do(method, path, "application/x-www-form-urlencoded", nil).want(http.StatusPermanentRedirect)
			if to := v.header.Get("Location"); to != want {
				t.Errorf("%s %s leads to %q, want %q", method, path, to, want)
			}
		}
	}
}

// TestAddressesOfFormsAreOpened checks that the address that a form is sent to, where the answer to a refusal stands,
// can be opened, and leads to the page with the form if it is not a page.
func TestAddressesOfFormsAreOpened(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	all := visits()
	for _, line := range (&server{}).table() {
		if line.method != http.MethodPost || pagesOf((&server{}).table())[line.path] {
			continue
		}
		path := line.path
		if v := all["POST "+path]; v.path != nil {
			path = v.path(n)
		}
		v := n.as(n.admin).get(path)
		if v.status != http.StatusSeeOther {
			t.Errorf("GET %s (%s): %d", path, line.path, v.status)
			continue
		}
		if strings.Contains(path, "{") || line.path == "/invitation/join" { // an ID of the visitor, a secret link
			continue
		}
		if to := n.as(n.admin).get(v.header.Get("Location")); to.status != http.StatusOK {
			t.Errorf("GET %s leads to %s: %d", path, v.header.Get("Location"), to.status)
		}
	}

	id := newID().String()
	for path, want := range map[string]string{
		"/profile/password":                                      "/profile",
		"/profile/second-factor":                                 "/profile/second-factor/new",
		"/campaigns/" + id + "/recipients?kept=1":                "/campaigns/" + id + "/recipients/new?kept=1",
		"/campaigns/" + id + "/recipients/" + id + "/prioritize": "/campaigns/" + id,
		"/agents/" + id + "/tests/cases":                         "/agents/" + id + "/tests/cases/new",
		"/webhooks/" + id + "/deliveries/resend":                 "/webhooks/" + id,
		"/settings/integrations/whatsapp":                        "/settings/integrations/whatsapp/new",
		"/settings/organization/limits":                          "/settings/organization",
		"/settings/compliance/pre-dial-check/test":               "/settings/compliance/pre-dial-check",
		"/settings/invitations/" + id + "/renew":                 "/settings/members",
		"/settings/members/" + id + "/role":                      "/settings/members/" + id,
		"/saved-filters":                                         "/",
	} {
		w.newVisitor().get(path).leads(want)
	}
}

// elsewhere are links to another handler of the server.
var elsewhere = []string{"GET /openapi.json", "GET /openapi.yaml"}

// checkLinks checks that each link of a page leads to an existing route that admits the
// role of the visitor. It follows no link.
func checkLinks(t *testing.T, lines map[string]route, router chi.Routes, v *shown, role account.Role) {
	t.Helper()
	for _, m := range regexp.MustCompile(`<input\b[^>]*>`).FindAllString(v.body, -1) {
		name := regexp.MustCompile(`\sname="([^"]*)"`).FindStringSubmatch(m)
		if strings.Contains(m, `type="password"`) && (name == nil || !people.SecretField.MatchString(name[1])) {
			t.Errorf("%s: %s would be carried by a late form", v.what, m)
		}
	}
	for _, link := range v.links() {
		if slices.Contains(elsewhere, link) {
			continue
		}
		method, path, _ := strings.Cut(link, " ")
		if strings.HasPrefix(path, static.Prefix) {
			if _, ok := static.Lookup(path); !ok {
				t.Errorf("%s: loads %s, which there is not", v.what, path)
			}
			continue
		}
		pattern := router.Find(chi.NewRouteContext(), method, path)
		line, ok := lines[method+" "+pattern]
		switch {
		case !ok:
			t.Errorf("%s: leads to %s, which there is not", v.what, link)
		case line.right != anybody && !role.May(line.right):
			t.Errorf("%s: shows %s the way to %s, which refuses them", v.what, role, link)
		}
	}
}

// ofPlayedCase returns the path of a new test case whose recipient a language model plays.
func ofPlayedCase(n *tenant) string {
	agent, in := n.freshAgent(), wholeCase(n)
	in.Recipient = evaluation.Persona{
		Model: &evaluation.Player{Prompt: "You are in a hurry.", ConnectionID: n.freshModel().String(), MaxTurns: 5},
	}
	c, err := n.w.app.Evaluations.CreateCase(n.w.t.Context(), account.System(n.organization), agent, in)
	if err != nil {
		n.w.t.Fatal(err)
	}
	return "/agents/" + agent.String() + "/tests/cases/" + c.ID.String()
}
