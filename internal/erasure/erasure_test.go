package erasure

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/suppression"
)

// Every test erases the first person and never erases the second person.
const (
	number = "+13125550142"
	other  = "+13125550143"
	person = "Wilhelmina Quist"
)

// traces are all values that would identify the person.
var traces = []string{number, "13125550142", "3125550142", "(312) 555-0142", person, "Quist"}

type fixture struct {
	*pgtest.DB
	t        *testing.T
	svc      *Service
	accounts *account.Service
	vault    *seal.Vault
	actor    account.Actor
	project, agent, connection, phone, messagingNumber, scope,
	hook uuid.UUID
	hungUp  []string
	refuses error // the carrier's answer to a deletion
	mu      sync.Mutex
	deleted []string // IDs of deleted recordings
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{DB: pgtest.New(t), t: t}
	for _, id := range []*uuid.UUID{
		&f.actor.OrganizationID, &f.project, &f.agent, &f.connection, &f.phone, &f.messagingNumber, &f.scope, &f.hook,
	} {
		*id = uuid.Must(uuid.NewV7())
	}
	f.actor = account.Actor{OrganizationID: f.actor.OrganizationID, Kind: account.ByUser, ID: uuid.New(), Name: "Ada"}
	var err error
	if f.vault, err = seal.NewVault(make([]byte, seal.MasterKeySize)); err != nil {
		t.Fatal(err)
	}
	always, err := json.Marshal(hours.Always())
	if err != nil {
		t.Fatal(err)
	}
	org := f.actor.OrganizationID
	f.exec(`insert into organization (id, name) values ($1, 'Acme')`, org)
	f.exec(
		`insert into project (id, organization_id, name, time_zone, region, calling_hours)
			values ($1, $2, 'Main', 'America/New_York', 'US', $3)`,
		f.project, org, always,
	)
	f.exec(`insert into agent (id, organization_id, name, language, script) values ($1, $2, 'Robin', 'en-US', '{}')`,
		f.agent, org)
	f.exec(
		`insert into connection (id, organization_id, kind, name, account, credentials)
			values ($1, $2, 'sandbox', 'Sandbox', 'AC1', '')`,
		f.connection, org,
	)
	f.exec(
		`insert into phone_number (id, organization_id, connection_id, phone_number)
			values ($1, $2, $3, '+15005550000')`,
		f.phone, org, f.connection,
	)
	f.exec(
		`insert into messaging_connection (id, organization_id, name, account, credentials)
			values ($1, $2, 'WhatsApp', '1', '')`,
		f.connection, org,
	)
	f.exec(`insert into messaging_scope (id, kind, external_id, recipients) values ($1, 'number', '2', 2)`, f.scope)
	f.exec(
		`insert into messaging_number (id, organization_id, connection_id, scope_id, external_id)
			values ($1, $2, $3, $4, '2')`,
		f.messagingNumber, org, f.connection, f.scope,
	)
	f.exec(
		`insert into webhook (id, organization_id, name, url, events, secret)
			values ($1, $2, 'CRM', 'https://x', '{*}', '')`,
		f.hook, org,
	)
	f.accounts = account.New(account.Options{Pool: f.Pool, Vault: f.vault})
	f.svc = f.process()
	return f
}

// process returns the service of another process.
func (f *fixture) process() *Service {
	log := slog.New(slog.DiscardHandler)
	hub := postgres.LocalHub()
	calls := call.New(call.Options{
		Pool:     f.Pool,
		Hub:      hub,
		Log:      log,
		Carriers: func(context.Context, uuid.UUID) (carrier.Carrier, error) { return network{f: f}, nil },
	})
	messages := messaging.New(messaging.Options{Pool: f.Pool, Hub: hub, Log: log, Off: true})
	whatsapp := connection.New(connection.Options{
		Pool:     f.Pool,
		Vault:    f.vault,
		Hub:      hub,
		Log:      log,
		Messages: messages,
		Client:   cloud.New(cloud.Options{}),
	})
	return New(Options{
		Pool:      f.Pool,
		Vault:     f.vault,
		Hub:       hub,
		Log:       log,
		Accounts:  f.accounts,
		Calls:     calls,
		Campaigns: campaign.New(campaign.Options{Pool: f.Pool, Hub: hub, WhatsApp: whatsapp}),
		Messaging: messages,
	})
}

// network records the numbers of ended calls.
type network struct {
	carrier.Recordings
	carrier.Listening
	carrier.Prices
	f *fixture
}

func (n network) DeleteRecording(_ context.Context, id string) error {
	if n.f.refuses != nil {
		return n.f.refuses
	}
	n.f.mu.Lock()
	defer n.f.mu.Unlock()
	n.f.deleted = append(n.f.deleted, id)
	return nil
}

// Recording is called for calls whose recording callback was lost.
func (n network) Recording(_ context.Context, carrierCallID string) (carrier.Recording, error) {
	if carrierCallID != "CA1" {
		return carrier.Recording{}, carrier.ErrNoRecording
	}
	return carrier.Recording{ID: "RE2"}, nil
}

func (n network) Place(context.Context, carrier.Placement) (string, error) { return "", io.EOF }
func (n network) Lookup(context.Context, carrier.Ref) (carrier.Report, error) {
	return carrier.Report{}, carrier.ErrUnknownCall
}
func (n network) Hangup(_ context.Context, ref carrier.Ref) error {
	n.f.hungUp = append(n.f.hungUp, ref.To)
	return nil
}

func (f *fixture) exec(sql string, args ...any) {
	f.t.Helper()
	if _, err := f.Pool.Exec(f.t.Context(), sql, args...); err != nil {
		f.t.Fatalf("%s: %v", sql, err)
	}
}

func (f *fixture) count(sql string, args ...any) (n int) {
	f.t.Helper()
	if err := f.Pool.QueryRow(f.t.Context(), sql, args...).Scan(&n); err != nil {
		f.t.Fatalf("%s: %v", sql, err)
	}
	return n
}

func (f *fixture) campaign(numbers ...string) campaign.Campaign {
	f.t.Helper()
	at := time.Now().Add(time.Hour)
	d := &campaign.Draft{Name: "Spring", ProjectID: f.project.String(), AgentID: f.agent.String(),
		PhoneNumberID: f.phone.String(),
		ScheduledAt:   &at, Recipients: &intake.List{}}
	for i, n := range numbers {
		d.Recipients.Add(intake.Recipient{PhoneNumber: n, Name: person, ExternalID: fmt.Sprint("Quist ", i),
			Variables: json.RawMessage(`{"first": "Wilhelmina Quist"}`),
			Metadata:  json.RawMessage(`{"phone": "(312) 555-0142"}`),
			Consent:   &intake.Consent{Basis: "said Wilhelmina Quist"}})
	}
	c, err := f.svc.o.Campaigns.Create(f.t.Context(), f.actor, d)
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

// call creates an answered call to a number. A live call has neither ended nor settled.
func (f *fixture) call(to string, live bool) uuid.UUID {
	f.t.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(`insert into call (id, organization_id, project_id, agent_id, phone_number_id, connection_id, carrier,
		carrier_call_id,
			own_number, person_number, recipient_name, status, outcome, ring_timeout_seconds, max_duration_seconds,
				consent_basis, detail,
			calling_hours_decision,
			variables, metadata, analysis, transcript_text, record, recording_id, asked_at, started_at, answered_at,
				ended_at, settled_at)
		select $1, $2, $3, $4, $5, $6, 'sandbox', 'CA1', '+15005559000', $7::text, $8::text, case
			when $9 then 'in_progress' else 'completed' end,
			case when not $9::boolean then 'completed' end, 30, 600, $8, $7,
			jsonb_build_object('clocks', '[]'::jsonb, 'rules', array[$8::text]), jsonb_build_object('name', $8::text),
				jsonb_build_object('p', $7::text),
			jsonb_build_object('status', 'ready', 'summary', $8::text, 'answers', jsonb_build_object('who', $8::text),
				'fields', jsonb_build_object('who', jsonb_build_object('value', $8::text, 'quote', $8::text)),
				'intent', 'call_back', 'call_back_at', '2026-11-20T09:00:00.000Z'),
				$8, true, case when not $9 then 'RE1' end,
			clock(), clock(), clock(), case when not $9 then clock() end, case when not $9 then clock() end`,
		id, f.actor.OrganizationID, f.project, f.agent, f.phone, f.connection, to, person, live)
	f.exec(`insert into call_turn (call_id, index, organization_id, role, text) values ($1, 0, $2, 'recipient', $3)`,
		id, f.actor.OrganizationID, "I am "+person)
	f.exec(`insert into call_note (id, organization_id, call_id, number, text, author)
		values (gen_random_uuid(), $1, $2, 1, $3, 'Ada')`, f.actor.OrganizationID, id, "Greet "+person)
	f.exec(`insert into call_review (call_id, organization_id, note) values ($1, $2, $3)`, id, f.actor.OrganizationID,
		"About "+person)
	f.exec(`insert into person_note (id, organization_id, phone_number, text, created_by)
		values (gen_random_uuid(), $1, $2, $3, 'Ada')`, f.actor.OrganizationID, to, "Call "+person+" later")
	f.exec(`insert into call_analysis (id, organization_id, call_id, number, method, status, result)
		values (gen_random_uuid(), $1, $2, 1, 'model', 'ready', jsonb_build_object('summary', $3::text, 'fields',
			jsonb_build_object('who', jsonb_build_object('value', $3::text, 'quote', $3::text))))`,
		f.actor.OrganizationID, id, person)
	f.event(id, "call.completed", fmt.Sprintf(`{"id": %q, "to_number": %q, "from_number": "+15005550000", `+
		`"variables": {"name": %q}, "metadata": {"p": %q},
		"transcript": [{"text": %q}], "transcript_text": %q, "analysis": {"summary": %q}, "intent": "call_back", `+
		`"call_back_at": "2026-11-20T09:00:00.000Z", "recording_url": %q, `+
		`"carrier_call_id": "CA1"}`,
		id, to, person, to, person, person, person, "https://r/"+to))
	return id
}

func (f *fixture) event(subject uuid.UUID, kind, data string) {
	f.t.Helper()
	event, delivery := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
	f.exec(`insert into event (id, organization_id, type, subject_id, payload, created_at)
		values ($1, $2, $3, $4, $5, clock())`,
		event, f.actor.OrganizationID, kind, subject,
		fmt.Sprintf(`{"id": %q, "type": %q, "data": %s}`, event, kind, data))
	f.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type) values ($1, $2, $3, $4, $5)`,
		delivery, f.actor.OrganizationID, f.hook, event, kind)
	f.exec(`insert into delivery_due (delivery_id, webhook_id, due_at, state) values ($1, $2, clock(), 'waiting')`,
		delivery, f.hook)
	f.exec(`insert into delivery_attempt (delivery_id, number, url, signed_at, signature, outcome, response_status,
		response_headers, response_body, duration_ms, started_at)
		values ($1, 1, 'https://x', 1, 'v1,x', 'status', 500, jsonb_build_object('Echo', $2::text), $3, 1, clock())`,
		delivery, person, []byte(data))
}

func (f *fixture) message(to, status string, counted bool) uuid.UUID {
	f.t.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(`insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
		template_language, variables, components, status,
			due_at, operator_id, error, counted_at, lease_until, ended_at)
		select $1, $2, $3, $4, $2, $5::text, 'thanks', 'en_US', jsonb_build_object('1', $6::text),
			jsonb_build_array($6::text), $7::text,
			case when $7 = 'queued' then clock() end, 'wamid.' || encode(convert_to($5::text, 'UTF8'), 'base64'),
				'not to ' || $5::text,
			case when $8 then clock() end, case when $7 = 'sending' then clock() + interval '30 seconds' end,
			case when $7 = 'failed' then clock() end`,
		id, f.actor.OrganizationID, f.messagingNumber, f.scope, to, person, status, counted)
	if counted {
		f.exec(`insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at)
			values ($1, $2, clock(), clock())
			on conflict (scope_id, phone_number) do update set counted_at = excluded.counted_at`, f.scope, to)
	}
	f.event(
		id, "message.sent",
		fmt.Sprintf(
			`{"id": %q, "to_number": %q, "template": {"name": "thanks", "variables": {"1": %q}}, "message_id": `+
				`"wamid"}`,
			id, to, person,
		),
	)
	return id
}

// find returns the columns of the database that contain one of the traces. It searches every text, json and bytea
// column of every table, and the sealed values in them.
func (f *fixture) find(traces ...string) (found []string) {
	f.t.Helper()
	ctx := f.t.Context()
	rows, err := f.Pool.Query(ctx, `
		select c.table_name, c.column_name from information_schema.columns c
		join information_schema.tables t using (table_schema, table_name)
		where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
		  and c.data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY', 'character varying', 'tsvector',
			'USER-DEFINED')
		order by 1, 2`)
	if err != nil {
		f.t.Fatal(err)
	}
	type column struct{ Table, Name string }
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	if err != nil || len(columns) < 80 {
		f.t.Fatalf("%d columns, %v", len(columns), err)
	}
	for _, c := range columns {
		for _, trace := range traces {
			n := f.count(fmt.Sprintf(
				`select count(*) from %q where strpos(lower(%q::text), lower($1)) > 0 or strpos(%q::text, $2) > 0`,
				c.Table, c.Name, c.Name,
			),
				trace, hex.EncodeToString([]byte(trace)))
			if n > 0 {
				found = append(found, fmt.Sprintf("%s.%s has %q", c.Table, c.Name, trace))
			}
		}
	}
	for _, c := range slices.Concat(account.Sealed, Sealed) {
		for _, secret := range f.open(c) {
			for _, trace := range traces {
				if strings.Contains(secret, trace) {
					found = append(found, fmt.Sprintf("%s.%s has %q, sealed", c.Table, c.Column, trace))
				}
			}
		}
	}
	return found
}

// open returns the secrets in a sealed column.
func (f *fixture) open(c seal.Column) (secrets []string) {
	f.t.Helper()
	organization := c.Organization
	if organization == "" {
		organization = "null"
	}
	rows, err := f.Pool.Query(f.t.Context(), fmt.Sprintf(`
		select coalesce((%s)::text, ''), (%s)::text, %s from %s where octet_length(%s) > 0`, organization, c.Row,
		c.Column, c.Table, c.Column))
	if err != nil {
		f.t.Fatal(err)
	}
	var of, row string
	var sealed []byte
	_, err = pgx.ForEachRow(rows, []any{&of, &row, &sealed}, func() error {
		place := seal.Cell{Table: c.Table, Column: c.Column, Row: row}
		if of != "" {
			place.Organization = uuid.MustParse(of)
		}
		secret, err := f.vault.Open(sealed, place)
		secrets = append(secrets, string(secret))
		return err
	})
	if err != nil {
		f.t.Fatalf("%s.%s: %v", c.Table, c.Column, err)
	}
	return secrets
}

func (f *fixture) work() {
	f.t.Helper()
	if err := f.svc.Work(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) request() Erasure {
	f.t.Helper()
	e, err := f.svc.Request(f.t.Context(), f.actor, number)
	if err != nil {
		f.t.Fatal(err)
	}
	return e
}

// fill writes the person into all data about people.
func (f *fixture) fill() (waiting campaign.Campaign) {
	f.t.Helper()
	for _, caller := range []string{number, other} {
		f.exec(`insert into inbound_pace (phone_number_id, organization_id, caller, rested_at, allowed, rejected)
			values ($1, $2, $3, clock(), true, 0)`, f.phone, f.actor.OrganizationID, caller)
	}
	ctx := f.t.Context()
	waiting = f.campaign(number, other)
	f.campaign(number) // the person is its only recipient
	f.exec(
		`update recipient set name = 'Bo', external_id = null, variables = '{}', metadata = '{}', consent_basis = null
			where phone_number = $1`,
		other,
	)
	f.call(number, false)
	f.message(number, "queued", false)
	f.message(number, "sent", true)
	f.message(number, "failed", false)
	f.exec(
		`insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at) values ($1, $2, clock(), clock())`,
		f.scope, other,
	)
	f.exec(`insert into messaging_window (number_id, phone_number, opened_at) values ($1, $2, clock())`,
		f.messagingNumber, number)
	list := suppression.New(suppression.Options{Pool: f.Pool})
	for _, remove := range []bool{true, false} {
		e, _, err := list.Add(ctx, f.actor, suppression.NewEntry{
			PhoneNumber: number, Source: suppression.ByUser, Note: person + " called",
		})
		if err == nil && remove {
			err = list.Remove(ctx, f.actor, e.ID, person+" wrote")
		}
		if err != nil {
			f.t.Fatal(err)
		}
	}
	answer := []byte(fmt.Sprintf(`{"to_number": %q, "template": {"variables": {"1": %q}}}`, number, person))
	_, err := f.accounts.Idempotent(ctx, f.actor, "POST /api/v1/messages", "key", []byte("{}"),
		func(pgx.Tx) (int, []byte, error) {
			return http.StatusCreated, answer, nil
		})
	if err != nil {
		f.t.Fatal(err)
	}
	return waiting
}

func TestNothingRemains(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	waiting := f.fill()
	for _, trace := range traces { // check that the search finds each trace
		if len(f.find(trace)) == 0 {
			t.Errorf("%q is nowhere to begin with", trace)
		}
	}
	e := f.request()
	if again := f.request(); again.ID != e.ID {
		t.Errorf("two at a time: %v and %v", e.ID, again.ID)
	}
	f.work()
	got, err := f.svc.Get(ctx, f.actor.OrganizationID, e.ID)
	if err != nil || got.CompletedAt == nil || got.Calls != 1 || got.Recipients != 2 || got.Messages != 3 ||
		got.Events < 4 {
		t.Errorf("%+v, %v", got, err)
	}
	if found := f.find(traces...); len(found) > 0 {
		t.Errorf("left:\n%s", strings.Join(found, "\n"))
	}
	if n := f.count(`select count(*) from call_analysis y join call c on c.id = y.call_id
		where y.result is not null and c.person_number <> $1`, other); n != 0 {
		t.Errorf("%d analyses of the erased calls have their results", n)
	}
	if n := f.count(`select count(*) from recipient where phone_number = $1`, other); n != 1 {
		t.Error("somebody else is gone")
	}

	// The figures stay. The campaign whose only recipient was erased completes.
	c, err := f.svc.o.Campaigns.Get(ctx, f.actor.OrganizationID, waiting.ID)
	if err != nil || c.Total != 2 || c.Skipped != 1 || c.Pending != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if n := f.count(`select count(*) from campaign where status = 'completed'`); n != 1 {
		t.Errorf("%d campaigns completed", n)
	}
	// The number of rows in messaging_ledger stays the same.
	if n := f.count(`select count(*) from messaging_ledger where scope_id = $1`, f.scope); n != 2 {
		t.Errorf("%d in the ledger", n)
	}
	if n := f.count(`select recipients from messaging_scope where id = $1`, f.scope); n != 2 {
		t.Errorf("the scope counts %d", n)
	}
	// The key of an earlier request still gets its stored answer.
	answer, err := f.accounts.Idempotent(ctx, f.actor, "POST /api/v1/messages", "key", []byte("{}"),
		func(pgx.Tx) (int, []byte, error) {
			t.Error("done again")
			return http.StatusCreated, nil, nil
		})
	if err != nil || !answer.Replayed || strings.Contains(string(answer.Body), "Quist") ||
		strings.Contains(string(answer.Body), number) {
		t.Errorf("%s, %v", answer.Body, err)
	}
	var actions string
	if err := f.Pool.QueryRow(
		ctx, `select string_agg(action, ' ' order by id) from audit_entry where object_type = 'erasure'`,
	).Scan(&actions); err != nil || actions != "erasure.requested erasure.completed" {
		t.Errorf("audited %s, %v", actions, err)
	}

	// The product does not reach the number again, even if the number is added in any way.
	next := f.campaign(number, other)
	if next.Skipped != 1 || next.Pending != 1 {
		t.Errorf("%+v", next.Counters())
	}
	for _, channel := range suppression.Channels {
		if n := f.count(
			`select case when `+suppression.Blocks(channel, "$1::uuid", "$2::text", "$3::bytea")+` then 1 else 0 end`,
			f.actor.OrganizationID, number, suppression.HashOf(f.actor.OrganizationID, phone.Number(number)),
		); n != 1 {
			t.Errorf("%s is not blocked", channel)
		}
	}
}

func TestACallInFlightIsEndedAndErasedThen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.call(number, true)
	sending := f.message(number, "sending", true)
	e := f.request()
	f.work()
	if len(f.hungUp) != 1 || f.hungUp[0] != number {
		t.Errorf("hung up on %v", f.hungUp)
	}
	if got, err := f.svc.Get(t.Context(), f.actor.OrganizationID, e.ID); err != nil || got.CompletedAt != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	f.exec(
		`update call set status = 'completed', outcome = 'completed', ended_at = clock(), settled_at = clock(),
			transcript_text = $2 where id = $1`,
		id, person,
	)
	f.exec(`update message set status = 'sent', lease_until = null where id = $1`, sending)
	f.work()
	if got, err := f.svc.Get(t.Context(), f.actor.OrganizationID, e.ID); err != nil || got.CompletedAt == nil ||
		got.Calls != 1 || got.Messages != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if found := f.find(traces...); len(found) > 0 {
		t.Errorf("left:\n%s", strings.Join(found, "\n"))
	}
}

// Another process resumes an interrupted erasure. The erasure also finds the rows of a transaction that began before
// the request.
func TestItIsResumedAndWaitsForWhoIsAtWork(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	f.fill()
	tx, err := f.Pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, `select 1`); err != nil {
		t.Fatal(err)
	}
	e := f.request()

	// Interrupt the erasure: the number stays sealed in its row.
	cut, cancel := context.WithCancel(ctx)
	half := f.svc.count(ctx, job{id: e.ID}, "calls")
	if _, err := f.svc.o.Calls.Erase(cut, f.actor.OrganizationID, number, e.ID, func(tx pgx.Tx, n, events int) error {
		cancel()
		return half(tx, n, events)
	}); err == nil {
		t.Error("not cut off")
	}
	if n := f.count(`select calls from erasure where id = $1`, e.ID); n != 0 {
		t.Errorf("%d calls counted that were rolled back", n)
	}
	f.svc = f.process()
	f.work()
	if got, err := f.svc.Get(ctx, f.actor.OrganizationID, e.ID); err != nil || got.CompletedAt != nil ||
		got.Calls != 1 {
		t.Fatalf("did not wait: %+v, %v", got, err)
	}
	// The transaction does not see the erasure, because it began earlier.
	_, err = tx.Exec(ctx, `insert into recipient (id, organization_id, campaign_id, phone_number, name, zone_source,
		status)
		select $1, $2, id, $3, $4, 'number', 'skipped' from campaign limit 1`, uuid.Must(uuid.NewV7()),
		f.actor.OrganizationID, number, person)
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	f.work()
	if got, err := f.svc.Get(ctx, f.actor.OrganizationID, e.ID); err != nil || got.CompletedAt == nil {
		t.Fatalf("%+v, %v", got, err)
	}
	if found := f.find(traces...); len(found) > 0 {
		t.Errorf("left:\n%s", strings.Join(found, "\n"))
	}
}

// A second request near the end of an erasure makes the erasure also remove data that was added since its start.
func TestAskedAgainWhileItGoesOn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	e := f.request()
	jobs, err := f.svc.begin(ctx)
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	f.campaign(number)
	if again := f.request(); again.ID != e.ID {
		t.Fatal("another one")
	}
	if err := f.svc.complete(ctx, jobs[0]); err != nil {
		t.Fatal(err)
	}
	if got, err := f.svc.Get(ctx, f.actor.OrganizationID, e.ID); err != nil || got.CompletedAt != nil {
		t.Fatalf("completed without what came meanwhile: %+v, %v", got, err)
	}
	f.work()
	if got, err := f.svc.Get(ctx, f.actor.OrganizationID, e.ID); err != nil || got.CompletedAt == nil ||
		got.Recipients != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if found := f.find(traces...); len(found) > 0 {
		t.Errorf("left:\n%s", strings.Join(found, "\n"))
	}
}

// The erasure waits for a delivery in flight, because the endpoint's answer may still be stored.
func TestADeliveryInFlightIsWaitedFor(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.call(number, false)
	f.exec(`update delivery_due set state = 'leased', lease = 1`)
	e := f.request()
	f.work()
	if got, err := f.svc.Get(t.Context(), f.actor.OrganizationID, e.ID); err != nil || got.CompletedAt != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	f.exec(`update delivery_due set state = 'waiting', lease = null`)
	f.work()
	if found := f.find(traces...); len(found) > 0 {
		t.Errorf("left:\n%s", strings.Join(found, "\n"))
	}
}

func TestRefusalsAndTenants(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	for _, wrong := range []string{"", "312 555 0142", "+1"} {
		if _, err := f.svc.Request(ctx, f.actor, wrong); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	e := f.request()
	stranger := uuid.Must(uuid.NewV7())
	if _, err := f.svc.Get(ctx, stranger, e.ID); fault.KindOf(err) != fault.NotFound {
		t.Error(err)
	}
	if l, err := f.svc.List(ctx, stranger, page.Request{}); err != nil || len(l.Data) > 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err := f.svc.List(ctx, f.actor.OrganizationID, page.Request{}); err != nil || len(l.Data) != 1 {
		t.Errorf("%+v, %v", l, err)
	}
}

// The erasure also deletes the carrier's recordings. It retries until this succeeds and shows the pending recordings.
// Meanwhile the database contains no data of a recording.
func TestRecordingsAreDeletedAtTheCarrier(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	known := f.call(number, false)
	untold := f.call(number, false)
	f.exec(`update call set recording_id = null where id = $1`, untold) // the callback was lost
	unmade := f.call(number, false)
	f.exec(
		`update call set recording_id = null, carrier_call_id = 'CA2', ended_at = clock() - interval '2 hours'
			where id = $1`,
		unmade,
	)
	f.exec(`update call set record = false, recording_id = null where id = $1`, f.call(number, false))
	other := f.call(other, false)
	pending := func(want int, why string) {
		t.Helper()
		list, err := f.svc.List(ctx, f.actor.OrganizationID, page.Request{})
		if err != nil || len(list.Data) != 1 || list.Data[0].Recordings != want ||
			list.Data[0].Resource().RecordingsPending != want || list.Data[0].Undeleted != why {
			t.Fatalf("%+v, %v; want %d and %q", list.Data, err, want, why)
		}
	}
	asked := func() {
		t.Helper()
		f.exec(`update recording_deletion set due_at = clock()`)
		if _, err := f.svc.o.Calls.DeleteRecordings(ctx); err != nil {
			t.Fatal(err)
		}
	}
	e := f.request()
	f.work()
	if got, err := f.svc.Get(ctx, f.actor.OrganizationID, e.ID); err != nil || got.CompletedAt == nil ||
		got.Calls != 4 {
		t.Fatalf("%+v, %v", got, err)
	}
	pending(3, "")
	f.refuses = &carrier.Error{Kind: carrier.Unusable, Reason: "Twilio does not accept the credentials"}
	asked()
	pending(2, "Twilio does not accept the credentials") // a recording that was never made is not pending
	if _, err := f.svc.o.Calls.Recording(ctx, f.actor.OrganizationID, known, ""); fault.KindOf(err) != fault.NotFound {
		t.Errorf("it can still be heard: %v", err)
	}
	f.refuses = nil
	asked()
	pending(0, "")
	if slices.Sort(f.deleted); !slices.Equal(f.deleted, []string{"RE1", "RE2"}) {
		t.Errorf("deleted %v", f.deleted)
	}
	if n := f.count(`select count(*) from call where id = $1 and recording_id = 'RE1'`, other); n != 1 {
		t.Error("somebody else's recording is gone")
	}

	// A recording that the carrier reports late is also deleted.
	late := carrier.Event{
		Kind: carrier.Recorded, CallID: unmade, ConnectionID: f.connection, CarrierCallID: "CA2",
		Recording: carrier.Recording{ID: "RE3"},
	}
	for range 2 {
		if err := f.svc.o.Calls.Deliver(ctx, late); err != nil {
			t.Fatal(err)
		}
	}
	asked()
	if !slices.Contains(f.deleted, "RE3") || f.count(`select count(*) from recording_deletion`) != 0 {
		t.Errorf("deleted %v", f.deleted)
	}
}
