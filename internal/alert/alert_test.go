package alert_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/alert"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/mail/mailtest"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
)

type world struct {
	*alert.Service
	pgtest.Tenant
	t      *testing.T
	db     *pgtest.DB
	server *mailtest.Server
}

// newWorld has an organization with a webhook, a key and a campaign, and a mail server unless without is true.
func newWorld(t *testing.T, without bool) *world {
	t.Helper()
	w := &world{t: t, db: pgtest.New(t), server: mailtest.New(t)}
	w.db.StopClock()
	w.Tenant = w.db.NewTenant(t, "Acme", "+12125550100", pgtest.Script)
	var sender *mail.Sender
	if !without {
		var err error
		sender, err = mail.New(mail.Options{Addr: w.server.Addr, From: "dial@example.com", TLS: mail.NoTLS})
		if err != nil {
			t.Fatal(err)
		}
	}
	hub := postgres.LocalHub()
	w.Service = alert.New(alert.Options{
		Pool: w.db.Pool, Mail: sender, PublicURL: "https://dial.example.com", Log: slog.New(slog.DiscardHandler),
		Calls:     call.New(call.Options{Pool: w.db.Pool, Hub: hub, Log: slog.New(slog.DiscardHandler)}),
		FollowUps: followup.New(followup.Options{Pool: w.db.Pool, Hub: hub}),
	})
	w.exec(`insert into webhook (id, organization_id, name, url, events, secret)
		values (gen_random_uuid(), $1, 'CRM', 'https://example.com', '{*}', '')`, w.OrganizationID)
	w.exec(`insert into api_key (id, organization_id, name, hash, display, scopes)
		values (gen_random_uuid(), $1, 'Website', '', 'ik_live_abcd…wxyz', '{}')`, w.OrganizationID)
	w.exec(`insert into campaign (id, organization_id, project_id, agent_id, phone_number_id, connection_id, name,
			status, scheduled_at, started_at, calling_hours, max_concurrency, calls_per_second, max_attempts,
			retry_delays, retry_on, voicemail_action, ring_timeout_seconds, max_duration_seconds)
		values (gen_random_uuid(), $1, $2, $3, $4, $5, 'Reminders', 'running', clock(), clock(), '{}', 1, 1, 1, '{}',
			'{}', 'hang_up', 30, 600)`, w.OrganizationID, w.ProjectID, w.AgentID, w.PhoneNumberID, w.ConnectionID)
	return w
}

func (w *world) exec(sql string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Pool.Exec(context.Background(), sql, args...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) count(from string) (n int) {
	w.t.Helper()
	if err := w.db.Pool.QueryRow(context.Background(), `select count(*) from `+from).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// member adds a member with a role and returns the user's ID and address.
func (w *world) member(role string) (uuid.UUID, string) {
	w.t.Helper()
	id := uuid.New()
	email := role + "." + id.String() + "@example.com"
	w.exec(`insert into app_user (id, email, name, password_hash) values ($1, $2, 'Ada', '')`, id, email)
	w.exec(`insert into membership (organization_id, user_id, role) values ($1, $2, $3)`, w.OrganizationID, id, role)
	return id, email
}

// watch passes over all conditions and returns the open alerts.
func (w *world) watch() []alert.Alert {
	w.t.Helper()
	if err := w.Watch(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	list, err := w.List(w.t.Context(), w.OrganizationID, false, page.Request{})
	if err != nil {
		w.t.Fatal(err)
	}
	return list.Data
}

// pass lets time pass, with a look and the emails that are due every three hours.
func (w *world) pass(d time.Duration) {
	w.t.Helper()
	for ; d > 0; d -= 3 * time.Hour {
		w.watch()
		w.send()
		w.db.Advance(3 * time.Hour)
	}
}

// send makes attempts until none is due and returns how many it made.
func (w *world) send() (n int) {
	w.t.Helper()
	for {
		sent, err := w.Send(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		if sent == 0 {
			return n
		}
		n += sent
	}
}

// Each condition opens one alert, which is resolved when the condition is over.
func TestEachKind(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	for _, c := range []struct {
		title, detail string
		begin, end    []string
	}{
		{
			"Campaign paused: Reminders", "The budget is used up",
			[]string{`update campaign set status = 'paused', pause_reason = 'The budget is used up'`},
			[]string{`update campaign set pause_reason = 'Paused by Ada'`},
		},
		{
			"Abandoned calls near the limit: Reminders",
			"Of 200 calls that people answered, 5 were abandoned (2.50%). The limit is 3%",
			[]string{
				`update campaign set status = 'running', pause_reason = null`,
				`update organization set abandoned_most = 3, abandoned_least = 100`,
				`insert into campaign_answer_hour (
					campaign_id, organization_id, starts_at, answered_by_person, abandoned)
				 select id, organization_id, clock(), 200, 5 from campaign`,
			},
			[]string{`update campaign_answer_hour set abandoned = 4`},
		},
		{
			"Carrier failing: Sandbox", "20 calls in a row could not be placed: Not authorized",
			[]string{`update connection set consecutive_errors = 20, last_error = 'Not authorized'`},
			[]string{`update connection set consecutive_errors = 0`},
		},
		{
			"Carrier failing: Clinic line",
			"Account: the account is suspended. Phone numbers: the account neither has nor verified +1 212 555 0100",
			[]string{
				`insert into connection (id, organization_id, kind, name, account, credentials)
				 select gen_random_uuid(), id, 'twilio', 'Clinic line', 'AC7777', '' from organization`,
				`insert into connection_check (connection_id, organization_id, name, state, detail, checked_at)
				 select c.id, organization_id, v.name, v.state, v.detail, clock()
				 from connection c, (values
				   ('public_address', 'ok', 'this server is reached'),
				   ('credentials', 'unknown', 'the carrier did not answer'),
				   ('numbers', 'failed', 'the account neither has nor verified +1 212 555 0100'),
				   ('account', 'failed', 'the account is suspended'),
				   ('relay', 'failed', 'the last line to the agent failed: Reset'),
				   ('countries', 'failed', 'the account may not call Germany')) v (name, state, detail)`,
				`update connection set line_failures = 1, last_error = 'Reset', last_error_at = clock()
				 where name = 'Clinic line'`,
			},
			[]string{`update connection_check set state = 'ok' where name in ('account', 'numbers')`},
		},
		{
			"Carrier failing: Clinic line", "ConversationRelay: the last line to the agent failed: Reset",
			[]string{`update connection set last_error_at = clock() - interval '10 minutes'
				where name = 'Clinic line'`},
			[]string{`update connection set line_failures = 0 where name = 'Clinic line'`},
		},
		{
			"Carrier failing: Clinic line", "Countries: the account may not call Germany",
			[]string{`insert into country_refusal (campaign_id, country, organization_id, times, reason, applied_at)
				select g.id, 'DE', g.organization_id, 3, 'no', clock() from campaign g`,
				`update campaign set connection_id = (select id from connection where name = 'Clinic line')`},
			[]string{`update connection set deactivated_at = clock() where name = 'Clinic line'`},
		},
		{
			"Language model failing: GPT", "Wrong key",
			[]string{`insert into model_connection (id, organization_id, name, provider, key, model, streams, failures,
				last_error)
				select gen_random_uuid(), id, 'GPT', 'sandbox', '', 'gpt', 1, 5, 'Wrong key' from organization`},
			[]string{`update model_connection set failures = 0`},
		},
		{
			"Webhook failing: CRM", "Retries continue, and every event is kept",
			[]string{`update webhook set failures = 3, failing_since = clock() - interval '6 minutes'`},
			[]string{`update webhook set failures = 0, failing_since = null`},
		},
		{
			"Webhook disabled: CRM",
			"Its endpoint answered 410 Gone, so it no longer exists. Nothing is sent to it while it is disabled",
			[]string{`update webhook set is_active = false, inactive_since = clock(), disabled_reason = 'gone'`},
			[]string{`update webhook set is_active = true, inactive_since = null, disabled_reason = null`},
		},
		{
			"WhatsApp not sending: Acme", "The token has expired",
			[]string{`insert into messaging_connection (id, organization_id, name, account, credentials, last_error)
				select gen_random_uuid(), id, 'Acme', '1', '', 'The token has expired' from organization`},
			[]string{`update messaging_connection set last_error = null`},
		},
		{
			"WhatsApp quota low: Acme Care", "9 of 10 conversations of the last 24 hours are used",
			[]string{
				`insert into messaging_scope (id, kind, external_id, tier_limit, recipients)
				 values (gen_random_uuid(), 'number', '7', 10, 9)`,
				`insert into messaging_number (id, organization_id, connection_id, scope_id, external_id, name)
				 select gen_random_uuid(), c.organization_id, c.id, s.id, '7', 'Acme Care'
				 from messaging_connection c, messaging_scope s`,
			},
			[]string{`insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at)
				select id, '+12125550123', clock() - interval '25 hours', clock() - interval '25 hours'
				from messaging_scope`},
		},
		{
			"Do-not-call list not updated: Registry",
			"The file has only 10 numbers, and the one before had 101. The last applied file stays in effect",
			[]string{`insert into subscribed_list
				(id, organization_id, name, url, channels, every_hours, shrunk, failures, fetched_at, held_back,
					last_error)
				select gen_random_uuid(), id, 'Registry', 'https://example.com', '{voice}', 24, true, 2, clock(),
					'The file has only 10 numbers, and the one before had 101', 'The host can''t be found'
				from organization`},
			[]string{`update subscribed_list set shrunk = false, failures = 0, held_back = null, last_error = null`},
		},
		{
			"Do-not-call list not updated: Registry",
			"3 fetches in a row failed: The host can't be found. The last applied file stays in effect",
			[]string{`update subscribed_list set failures = 3, last_error = 'The host can''t be found'`},
			[]string{`update subscribed_list set failures = 0, last_error = null, fetched_at = null`},
		},
		{
			"Do-not-call list not updated: Registry",
			"The file has no readable phone number. No file has been applied yet",
			[]string{`update subscribed_list set shrunk = true, failures = 1, held_back = last_error,
				last_error = 'The file has no readable phone number'`},
			[]string{`update subscribed_list set shrunk = false, failures = 0, last_error = null`},
		},
		{
			"Do-not-call list not updated: Registry",
			"3 fetches in a row failed: The host can't be found. No file has been applied yet",
			[]string{`update subscribed_list set failures = 3, last_error = 'The host can''t be found'`},
			[]string{`update subscribed_list set failures = 0, last_error = null`},
		},
		{
			"API key expiring: Website", "",
			[]string{`update api_key set expires_at = clock() + interval '6 days'`},
			[]string{`update api_key set expires_at = null`},
		},
		{
			"API key unused: Website", "The key ik_live_abcd…wxyz was never used",
			[]string{
				`insert into api_key_use (api_key_id) select id from api_key`,
				`update api_key set created_at = clock() - interval '91 days'`,
			},
			[]string{`update api_key set revoked_at = clock()`},
		},
	} {
		for _, sql := range c.begin {
			w.exec(sql)
		}
		for range 2 { // the second pass changes nothing
			open := w.watch()
			if len(open) != 1 || open[0].Title() != c.title || c.detail != "" && open[0].Detail != c.detail {
				t.Fatalf("%s: %+v", c.title, open)
			}
		}
		now, more, err := w.Now(t.Context(), w.OrganizationID, uuid.New(), 1)
		if err != nil || more || len(now) != 1 || now[0].Title() != c.title || now[0].Path() == "" {
			t.Errorf("%s: at this moment %+v, %v, %v", c.title, now, more, err)
		}
		if now, _, err = w.Now(t.Context(), uuid.New(), uuid.New(), 1); err != nil || len(now) != 0 {
			t.Errorf("%s: another organization has %+v, %v", c.title, now, err)
		}
		for _, sql := range c.end {
			w.exec(sql)
		}
		if open := w.watch(); len(open) != 0 {
			t.Errorf("%s is over: %+v", c.title, open)
		}
	}
}

// The admins get one email about everything that was opened together, also if the mail server is down at first, and
// nobody gets one about a condition that is over, or that returns within an hour.
func TestEmails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	_, first := w.member("admin")
	second, _ := w.member("admin")
	w.member("staff")
	if err := w.SetSettings(t.Context(), w.OrganizationID, second, alert.Settings{}); err != nil {
		t.Fatal(err)
	}
	w.server.Refuse(true)
	const disabled = `update webhook set is_active = false, inactive_since = clock(), disabled_reason = 'gone'`
	const active = `update webhook set is_active = true, inactive_since = null, disabled_reason = null`
	w.exec(disabled)
	w.exec(`update connection set line_failures = 5`)
	w.watch()
	if n := w.send(); n != 0 {
		t.Errorf("%d attempts before the alerts are gathered", n)
	}
	w.db.Advance(time.Minute)
	if n := w.send(); n != 1 || len(w.server.Taken()) != 0 {
		t.Errorf("%d attempts, and %d emails were taken", n, len(w.server.Taken()))
	}
	w.server.Refuse(false)
	w.db.Advance(time.Hour)
	w.watch()
	w.send()
	taken := w.server.Taken()
	if len(taken) != 1 || taken[0].To != first || w.count(`alert_email`) != 0 {
		t.Fatalf("%+v", taken)
	}
	for _, want := range []string{
		"Subject: 2 alerts: Acme", "Webhook disabled: CRM", "410 Gone", "https://dial.example.com/webhooks/",
		"Carrier failing: Sandbox", "https://dial.example.com/alerts/settings",
	} {
		if !strings.Contains(taken[0].Data, want) {
			t.Errorf("no %q in %s", want, taken[0].Data)
		}
	}

	w.exec(active) // comes and goes
	w.watch()
	w.exec(disabled)
	if open := w.watch(); len(open) != 2 || w.count(`alert`) != 2 || w.count(`alert_email`) != 0 {
		t.Errorf("%+v", open)
	}
	w.exec(active)
	w.watch()
	w.db.Advance(2 * time.Hour)
	w.exec(disabled)
	w.watch()
	if n := w.count(`alert_email`); n != 1 {
		t.Errorf("%d emails after the quiet hour", n)
	}
	w.exec(active) // before the email went out
	w.watch()
	w.db.Advance(time.Minute)
	w.send()
	if n := len(w.server.Taken()); n != 1 || w.count(`alert_email`) != 0 {
		t.Errorf("%d emails", n)
	}

	w.db.Advance(31 * 24 * time.Hour)
	if err := w.Sweep(t.Context()); err != nil || w.count(`alert`) != 1 {
		t.Errorf("%d alerts are left: %v", w.count(`alert`), err)
	}
}

// A kind that was added after a member chose is on by default for the member's role, until the member chooses again.
func TestAKindThatWasAddedLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	admin, address := w.member("admin")
	staff, _ := w.member("staff")
	for _, id := range []uuid.UUID{admin, staff} {
		err := w.SetSettings(t.Context(), w.OrganizationID, id, alert.Settings{Kinds: []alert.Kind{alert.QuotaLow}})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.exec(`update alert_setting set known = array_remove(known, 'list_failing')`)
	get := func(id uuid.UUID, want ...alert.Kind) {
		t.Helper()
		s, err := w.Settings(t.Context(), w.OrganizationID, id)
		if err != nil || !slices.Equal(s.Kinds, want) {
			t.Errorf("%q, %v, want %q", s.Kinds, err, want)
		}
	}
	get(admin, alert.QuotaLow, alert.ListFailing)
	get(staff, alert.QuotaLow)
	fail := func(name string) {
		t.Helper()
		w.exec(`insert into subscribed_list
				(id, organization_id, name, url, channels, every_hours, failures, last_error)
			values (gen_random_uuid(), $1, $2, 'https://example.com', '{voice}', 24, 3, 'The host can''t be found')`,
			w.OrganizationID, name)
		w.watch()
		w.db.Advance(time.Minute)
		w.send()
	}
	fail("Registry")
	if taken := w.server.Taken(); len(taken) != 1 || taken[0].To != address {
		t.Fatalf("%+v", taken)
	}
	err := w.SetSettings(t.Context(), w.OrganizationID, admin, alert.Settings{Kinds: []alert.Kind{alert.QuotaLow}})
	if err != nil {
		t.Fatal(err)
	}
	get(admin, alert.QuotaLow)
	fail("Partner")
	if taken := w.server.Taken(); len(taken) != 1 {
		t.Errorf("an email that the member turned off: %+v", taken)
	}
}

// A member who chose the digest gets one for each day, in the morning of the organization.
func TestDigest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	w.exec(`update organization set time_zone = 'Asia/Tokyo'`)
	id, address := w.member("staff")
	w.exec(`update webhook set is_active = false, inactive_since = clock(), disabled_reason = 'failing'`)
	for range 2 { // a change of the settings sends no other one
		err := w.SetSettings(t.Context(), w.OrganizationID, id, alert.Settings{Digest: true})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.pass(4 * 24 * time.Hour)
	taken := w.server.Taken()
	if len(taken) < 2 || len(taken) > 4 {
		t.Fatalf("%d digests in four days", len(taken))
	}
	for _, m := range taken {
		if m.To != address || !strings.Contains(m.Data, "Subject: Acme: 0 calls on ") ||
			!strings.Contains(m.Data, "Webhook disabled: CRM") {
			t.Errorf("%+v", m)
		}
	}
	w.exec(`update webhook set deleted_at = clock()`)
	w.pass(24 * time.Hour)
	if n := len(w.server.Taken()); n > len(taken)+1 {
		t.Errorf("%d digests, though there was nothing to tell", n-len(taken))
	}
}

// A member who chose the digest of the week gets one on each Monday, in the morning of the organization, with the week
// before beside it.
func TestWeeklyDigest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	w.exec(`update organization set time_zone = 'Asia/Tokyo'`)
	id, address := w.member("staff")
	for range 2 {
		err := w.SetSettings(t.Context(), w.OrganizationID, id, alert.Settings{Weekly: true})
		if err != nil {
			t.Fatal(err)
		}
	}
	if s, err := w.Settings(t.Context(), w.OrganizationID, id); err != nil || !s.Weekly || s.Digest {
		t.Errorf("%+v, %v", s, err)
	}
	w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number, status, outcome, ring_timeout_seconds, max_duration_seconds, ended_at,
			settled_at, cost, cost_currency)
		select gen_random_uuid(), organization_id, project_id, agent_id, phone_number_id, connection_id, 'sandbox',
			'+12125550100', '+12125550123', 'completed', 'completed', 30, 600, clock(), clock(), 0.75, 'USD'
		from campaign, generate_series(1, 2)`)
	w.exec(`insert into call_hour (organization_id, starts_at, completed, placed, reached, opted_out, talk_ms)
		values ($1, date_trunc('hour', clock()), 2, 2, 2, 1, 0)`, w.OrganizationID)
	w.pass(23 * 24 * time.Hour)
	taken := w.server.Taken()
	if len(taken) < 2 || len(taken) > 3 {
		t.Fatalf("%d digests in 23 days", len(taken))
	}
	for _, m := range taken {
		if m.To != address {
			t.Errorf("%+v", m)
		}
	}
	all := taken[0].Data + taken[1].Data
	for _, want := range []string{
		"Subject: Acme: 2 calls in the week of ", "Calls: 2 (the week before: 0)", "Calls: 0 (the week before: 2)",
		"Answered by a person: 2 (the week before: 0)", "Opt-outs: 0 (the week before: 1)",
		"Known cost of calls: 1.50 USD (the week before: none)", "Follow-ups open now: 0",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %s", want, all)
		}
	}
}

// Without a mail server, alerts are listed and nothing is queued.
func TestWithoutAMailServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	id, _ := w.member("admin")
	w.exec(`update connection set line_failures = 5`)
	if open := w.watch(); len(open) != 1 || w.count(`alert_email`) != 0 || w.send() != 0 || w.Sends() {
		t.Errorf("%+v", open)
	}
	if n, err := w.Count(t.Context(), w.OrganizationID, id); err != nil || n != 1 {
		t.Errorf("%d open, %v", n, err)
	}
	if n, err := w.Count(t.Context(), uuid.New(), id); err != nil || n != 0 {
		t.Errorf("%d open in another organization, %v", n, err)
	}
	err := w.SetSettings(t.Context(), w.OrganizationID, id, alert.Settings{Kinds: []alert.Kind{"storm"}})
	if fault.KindOf(err) != fault.Invalid {
		t.Error(err)
	}
	if err := w.SetSettings(t.Context(), uuid.New(), id, alert.Settings{}); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
}

// newFollowUp opens a follow-up of a call.
func (w *world) newFollowUp(assignee *uuid.UUID, due string) {
	w.t.Helper()
	id := uuid.New()
	w.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
			own_number, person_number, status, outcome, ring_timeout_seconds, max_duration_seconds, ended_at,
			settled_at)
		select $1, organization_id, project_id, agent_id, phone_number_id, connection_id, 'sandbox',
			'+12125550100', '+12125550123', 'completed', 'completed', 30, 600, clock(), clock() from campaign`, id)
	w.exec(`insert into follow_up (id, organization_id, project_id, call_id, kind, reason, assignee_id, due_at)
		select gen_random_uuid(), organization_id, project_id, id, 'wants_human', 'Wants a nurse', $2,
			clock() + $3::interval from call where id = $1`, id, assignee, due)
}

// A follow-up that is due concerns its assignee, or everybody as long as it has none. Whoever gets it later is told
// too.
func TestFollowUpsThatAreDue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	dee, _ := w.member("admin")
	ada, first := w.member("staff")
	ben, second := w.member("staff")
	err := w.SetSettings(t.Context(), w.OrganizationID, dee, alert.Settings{Kinds: []alert.Kind{alert.FollowUpNew}})
	if err != nil {
		t.Fatal(err)
	}
	w.newFollowUp(nil, "0")
	open := w.watch()
	at := slices.IndexFunc(open, func(a alert.Alert) bool { return a.Kind == alert.FollowUpDue })
	if len(open) != 2 || at < 0 || open[at].Title() != "Follow-up due" || open[at].Text() != "Asked for a person" {
		t.Fatalf("nobody's: %+v", open)
	}
	due := `alert_email join alert a on a.id = alert_id and a.kind = 'follow_up_due'`
	if n := w.count(due); n != 2 {
		t.Errorf("%d emails about one that is due and nobody's", n)
	}
	w.exec(`delete from alert_email`)
	for i, a := range []struct {
		assignee uuid.UUID
		address  string
	}{{ada, first}, {ben, second}} {
		w.exec(`update follow_up set assignee_id = $1`, a.assignee)
		w.watch()
		w.watch()
		w.db.Advance(time.Minute)
		w.send()
		if taken := w.server.Taken(); len(taken) != i+1 || taken[i].To != a.address {
			t.Fatalf("%+v", taken)
		}
	}
	if n, err := w.Count(t.Context(), w.OrganizationID, ada); err != nil || n != 0 {
		t.Errorf("%d open alerts concern somebody else: %v", n, err)
	}
	for user, want := range map[uuid.UUID]int{ada: 0, ben: 1} {
		if now, _, err := w.Now(t.Context(), w.OrganizationID, user, 10); err != nil || len(now) != want {
			t.Errorf("needs a member now: %+v, %v, want %d", now, err, want)
		}
	}
	w.exec(`update follow_up set status = 'done', done_at = clock(), done_by = 'Ben'`)
	if open := w.watch(); len(open) != 0 {
		t.Errorf("%+v", open)
	}
}

// Follow-ups that are nobody's are one alert. All members who want it get one email about many, and another one when
// newer follow-ups came, at most every half hour.
func TestNewFollowUps(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	manager, _ := w.member("manager")
	_, staff := w.member("staff")
	err := w.SetSettings(t.Context(), w.OrganizationID, manager, alert.Settings{Kinds: []alert.Kind{alert.QuotaLow}})
	if err != nil {
		t.Fatal(err)
	}
	w.newFollowUp(nil, "1 day")
	w.newFollowUp(&manager, "1 day")
	if open := w.watch(); len(open) != 1 || open[0].Title() != "New follow-ups" ||
		open[0].Text() != "1 open follow-up has no assignee" || open[0].Path() != "/follow-ups?assignee=none" {
		t.Fatalf("%+v", open)
	}
	// pass lets half an hour pass, with a look at each minute, and returns the emails of that time.
	pass := func() (texts []string) {
		t.Helper()
		before := len(w.server.Taken())
		for range 30 {
			w.watch()
			w.db.Advance(time.Minute)
			w.send()
		}
		for _, m := range w.server.Taken()[before:] {
			if m.To != staff {
				t.Errorf("an email to %s", m.To)
			}
			texts = append(texts, m.Data)
		}
		return texts
	}
	expect := func(texts []string, want string) {
		t.Helper()
		if len(texts) != 1 || !strings.Contains(texts[0], want) ||
			!strings.Contains(texts[0], "https://dial.example.com/follow-ups?assignee=3Dnone") &&
				!strings.Contains(texts[0], "https://dial.example.com/follow-ups?assignee=none") {
			t.Errorf("no %q: %q", want, texts)
		}
	}
	w.newFollowUp(nil, "1 day")
	w.newFollowUp(nil, "1 day")
	expect(pass(), "3 open follow-ups have no assignee.")
	if texts := pass(); len(texts) != 0 {
		t.Errorf("nothing is new: %q", texts)
	}
	w.newFollowUp(nil, "1 day")
	expect(pass(), "4 open follow-ups have no assignee.")

	w.exec(`update follow_up set assignee_id = $1`, manager)
	if open := w.watch(); len(open) != 0 {
		t.Errorf("%+v", open)
	}
	w.newFollowUp(nil, "1 day") // within the quiet hour
	expect(pass(), "1 open follow-up has no assignee.")
	if n := w.count(`alert where kind = 'follow_up_new'`); n != 1 {
		t.Errorf("%d alerts", n)
	}
	w.newFollowUp(nil, "1 day")
	w.watch()
	w.exec(`update follow_up set assignee_id = $1`, manager)
	if texts := pass(); len(texts) != 0 {
		t.Errorf("somebody took them before the email: %q", texts)
	}
}
