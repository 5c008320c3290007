// Package messagingtest connects tests to a WhatsApp operator on this machine.
package messagingtest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/testwait"
)

// Token opens the sandbox's accounts, and signs its webhooks.
const Token = "the-token-of-the-system-user"

// Bench is an organization that is connected to an operator on this machine.
type Bench struct {
	*pgtest.DB
	T           testing.TB
	Messages    *messaging.Service
	Connections *connection.Service
	Actor       account.Actor
	Operator    *sandbox.Operator
	API         http.Handler // answers at the operator's address; nil: Operator
	url         string       // of the operator

	Real bool // Services take the operator for a real one

	Hooks   *httptest.Server // where the operator's webhooks arrive
	Receive http.Handler     // receives them; verifies and drops them unless a test replaces it
}

// New makes an organization without a connection.
func New(t testing.TB, o sandbox.Options) *Bench {
	t.Helper()
	b := On(t, pgtest.New(t), o)
	b.Actor = b.NewOrganization("Acme")
	return b
}

// On makes a Bench on a database. Its Actor is for the test to set.
func On(t testing.TB, db *pgtest.DB, o sandbox.Options) *Bench {
	t.Helper()
	b := &Bench{DB: db, T: t}
	o.Token, o.Log = Token, slog.New(slog.DiscardHandler)
	b.Operator = sandbox.New(o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.API != nil {
			b.API.ServeHTTP(w, r)
			return
		}
		b.Operator.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(b.Operator.Close)
	b.url = server.URL
	b.Hooks = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.Receive.ServeHTTP(w, r)
	}))
	t.Cleanup(b.Hooks.Close)
	b.Messages, b.Connections = b.Services(b.Pool)
	b.Receive = &cloud.Hook{
		Secrets: b.Connections.Secrets,
		Deliver: func(context.Context, uuid.UUID, []cloud.Event) error { return nil },
		Log:     o.Log,
	}
	return b
}

// NewOrganization makes another organization.
func (b *Bench) NewOrganization(name string) account.Actor {
	b.T.Helper()
	id := uuid.Must(uuid.NewV7())
	b.Exec(`insert into organization (id, name) values ($1, $2)`, id, name)
	return account.Actor{OrganizationID: id, Kind: account.ByUser, ID: uuid.New(), Name: "Ada"}
}

// Services are those of a process with a pool of its own.
func (b *Bench) Services(pool *pgxpool.Pool) (*messaging.Service, *connection.Service) {
	b.T.Helper()
	vault, err := seal.NewVault(make([]byte, seal.MasterKeySize))
	if err != nil {
		b.T.Fatal(err)
	}
	log, hub := slog.New(slog.DiscardHandler), postgres.LocalHub()
	messages := messaging.New(messaging.Options{Pool: pool, Hub: hub, Log: log, Simulated: !b.Real})
	connections := connection.New(connection.Options{
		Pool:      pool,
		Vault:     vault,
		Hub:       hub,
		Log:       log,
		Messages:  messages,
		Client:    cloud.New(cloud.Options{GraphURL: b.url}),
		PublicURL: b.Hooks.URL,
		ReadTime:  10 * time.Second,
	})
	return messages, connections
}

// NewPool opens one more pool on the Bench's database.
func (b *Bench) NewPool() *pgxpool.Pool {
	b.T.Helper()
	pool, err := postgres.Open(context.Background(), postgres.Options{URL: b.URL, MaxConns: 6, Prepare: pgtest.Unlock})
	if err != nil {
		b.T.Fatal(err)
	}
	b.T.Cleanup(pool.Close)
	return pool
}

// Exec executes a statement.
func (b *Bench) Exec(sql string, args ...any) {
	b.T.Helper()
	if _, err := b.Pool.Exec(b.T.Context(), sql, args...); err != nil {
		b.T.Fatalf("%s: %v", sql, err)
	}
}

// Count returns the result of a query for one number.
func (b *Bench) Count(sql string, args ...any) int {
	b.T.Helper()
	var n int
	if err := b.Pool.QueryRow(b.T.Context(), sql, args...).Scan(&n); err != nil {
		b.T.Fatalf("%s: %v", sql, err)
	}
	return n
}

// Connect connects an account of the sandbox.
func (b *Bench) Connect(account string) connection.Connection {
	b.T.Helper()
	c, err := b.Connections.CreateConnection(b.T.Context(), b.Actor, connection.NewConnection{Account: account,
		Settings: connection.Settings{Name: "WhatsApp " + account, Token: Token, AppSecret: Token}})
	if err != nil {
		b.T.Fatal(err)
	}
	v, err := b.Connections.Secrets(b.T.Context(), c.ID)
	if err != nil {
		b.T.Fatal(err)
	}
	// The app's own address, as somebody enters it at the operator: for all that
	// is not about messages.
	if err := b.Operator.SetCallback(
		b.T.Context(), account, b.Hooks.URL+cloud.HooksPath+c.ID.String(), v.VerifyToken,
	); err != nil {
		b.T.Fatal(err)
	}
	return c
}

// NewMessage queues a heads-up.
func (b *Bench) NewMessage(externalID, to string) messaging.Message {
	b.T.Helper()
	m, err := b.Messages.Create(b.T.Context(), b.Pool, b.Actor, messaging.NewMessage{
		ExternalID: externalID, To: to, Template: messaging.TemplateInput{Name: "heads_up", Language: "en_US"},
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return m
}

// Queue is NewMessage for many, in the lane of a campaign.
func (b *Bench) Queue(externalID string, lane uuid.UUID, numbers ...string) {
	b.T.Helper()
	ids := make([]uuid.UUID, len(numbers))
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	b.Exec(`insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
		template_language, due_at)
		select m.id, n.organization_id, n.id, n.scope_id, $2, m.phone_number, 'heads_up', 'en_US', clock()
		from messaging_number n, unnest($3::uuid[], $4::text[]) m (id, phone_number)
		where n.external_id = $1 and n.disconnected_at is null`, externalID, lane, ids, numbers)
}

// Person is the number of somebody whose message is delivered and read.
func Person(n int) string { return fmt.Sprintf("+1312%07d", 2000000+n) }

// Scripted is a number of the sandbox's block: mm of its plan, and n to tell
// several apart.
func Scripted(mm, n int) string { return fmt.Sprintf("+1500500%s", fmt.Sprintf("9%02d%d", mm, n)) }

// Fill puts recipients into the window of a number, as if they had been written
// to at a time before now.
func (b *Bench) Fill(externalID string, from, n int, ago time.Duration) {
	b.T.Helper()
	b.Exec(`
		with sent as (
			insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
				template_language,
			                     status, sent_at, counted_at)
			select gen_random_uuid(), n.organization_id, n.id, n.scope_id, n.organization_id, '+1312' || 2000000 + i,
				'heads_up', 'en_US',
			       'sent', clock() - $4::interval, clock() - $4::interval
			from messaging_number n, generate_series($2::int, $2::int + $3::int - 1) i
			where n.external_id = $1 and n.disconnected_at is null
			returning scope_id, phone_number, counted_at),
		put as (
			insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at)
			select scope_id, phone_number, counted_at, counted_at from sent)
		update messaging_scope s set recipients = s.recipients + $3
		where s.id in (select scope_id from sent)`, externalID, from, n, ago)
}

// CheckLedgers fails the test unless every ledger has exactly the messages that count.
func (b *Bench) CheckLedgers() {
	b.T.Helper()
	wrong := b.Count(`
		select count(*) from messaging_scope s
		where s.recipients <> (select count(*) from messaging_ledger l where l.scope_id = s.id)`)
	if wrong > 0 {
		b.T.Errorf("%d scopes have another number of recipients than their ledger", wrong)
	}
	wrong = b.Count(`
		select count(*) from (
			select scope_id, phone_number, max(counted_at) as at from message
			where counted_at > clock() - interval '24 hours' group by scope_id, phone_number) m
		full join (select * from messaging_ledger where counted_at > clock() - interval '24 hours') l using (scope_id,
			phone_number)
		where m.at is distinct from l.counted_at`)
	if wrong > 0 {
		b.T.Errorf("%d entries of the ledger differ from the messages", wrong)
	}
}

// Number returns the only number of the organization.
func (b *Bench) Number() connection.Number {
	b.T.Helper()
	all, err := b.Connections.Numbers(b.T.Context(), b.Actor.OrganizationID)
	if err != nil {
		b.T.Fatal(err)
	}
	if len(all) != 1 {
		b.T.Fatalf("%d numbers, want 1", len(all))
	}
	return all[0]
}

// Eventually waits until a count is as wanted.
func (b *Bench) Eventually(want int, sql string, args ...any) {
	b.T.Helper()
	deadline := time.Now().Add(testwait.Limit)
	got := 0
	for tick := time.NewTicker(10 * time.Millisecond); time.Now().Before(deadline); <-tick.C {
		if got = b.Count(sql, args...); got == want {
			return
		}
	}
	b.T.Fatalf("%s, %v: %d, want %d", sql, args, got, want)
}

// People are the numbers of n persons.
func People(from, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = Person(from + i)
	}
	return all
}

// HidePortfolios replaces the operator by one that names no portfolio.
func (b *Bench) HidePortfolios() {
	b.T.Helper()
	world := sandbox.Standard()
	for i := range world {
		world[i].ID = ""
	}
	b.Operator = sandbox.New(sandbox.Options{Token: Token, World: world, Log: slog.New(slog.DiscardHandler)})
	b.T.Cleanup(b.Operator.Close)
}
