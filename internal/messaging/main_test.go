package messaging

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// token opens the sandbox's accounts, and signs its webhooks.
const token = "the-token-of-the-system-user"

// bench is an organization that is connected to an operator in a box.
type bench struct {
	*pgtest.DB
	t        testing.TB
	svc      *GateService
	actor    account.Actor
	operator *sandbox.Operator
	api      http.Handler // answers at the operator's address; nil: operator
	url      string       // of the operator

	hooks   *httptest.Server // where its webhooks arrive
	receive http.Handler     // them; the first process, unless a test puts something else
}

// newBench is an organization without a connection.
func newBench(t testing.TB, o sandbox.Options) *bench {
	t.Helper()
	b := &bench{DB: pgtest.New(t), t: t}
	o.Token, o.Log = token, slog.New(slog.DiscardHandler)
	b.operator = sandbox.New(o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.api != nil {
			b.api.ServeHTTP(w, r)
			return
		}
		b.operator.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(b.operator.Close)
	b.url = server.URL
	b.hooks = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.receive.ServeHTTP(w, r) }))
	t.Cleanup(b.hooks.Close)
	b.actor = b.organization("Acme")
	b.svc = b.process(b.Pool)
	b.receive = b.svc.Hook()
	return b
}

// organization makes one more.
func (b *bench) organization(name string) account.Actor {
	b.t.Helper()
	id := uuid.Must(uuid.NewV7())
	b.exec(`insert into organization (id, name) values ($1, $2)`, id, name)
	return account.Actor{OrganizationID: id, Kind: account.ByUser, ID: uuid.New(), Name: "Ada"}
}

// process is another process with a pool of its own.
func (b *bench) process(pool *pgxpool.Pool) *GateService {
	b.t.Helper()
	vault, err := account.NewVault(make([]byte, account.MasterKeySize))
	if err != nil {
		b.t.Fatal(err)
	}
	log, hub := slog.New(slog.DiscardHandler), postgres.LocalHub()
	messages := New(Options{Pool: pool, Hub: hub, Log: log})
	connections := NewConnections(ConnectionOptions{
		Pool:      pool,
		Vault:     vault,
		Hub:       hub,
		Log:       log,
		Messages:  messages,
		Client:    cloud.New(cloud.Options{GraphURL: b.url}),
		PublicURL: b.hooks.URL,
		ReadTime:  10 * time.Second,
	})
	return NewGate(GateOptions{Pool: pool, Hub: hub, Log: log, Messages: messages, Connections: connections})
}

// pool is one more pool on the bench's database.
func (b *bench) pool() *pgxpool.Pool {
	b.t.Helper()
	pool, err := postgres.Open(context.Background(), postgres.Options{URL: b.URL, MaxConns: 6})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(pool.Close)
	return pool
}

func (b *bench) exec(sql string, args ...any) {
	b.t.Helper()
	if _, err := b.Pool.Exec(b.t.Context(), sql, args...); err != nil {
		b.t.Fatalf("%s: %v", sql, err)
	}
}

// count is the result of a query for one number.
func (b *bench) count(sql string, args ...any) int {
	b.t.Helper()
	var n int
	if err := b.Pool.QueryRow(b.t.Context(), sql, args...).Scan(&n); err != nil {
		b.t.Fatalf("%s: %v", sql, err)
	}
	return n
}

// connect connects an account of the sandbox.
func (b *bench) connect(account string) Connection {
	b.t.Helper()
	c, err := b.svc.connections.CreateConnection(b.t.Context(), b.actor, NewConnection{Account: account,
		ConnectionSettings: ConnectionSettings{Name: "WhatsApp " + account, Token: token, AppSecret: token}})
	if err != nil {
		b.t.Fatal(err)
	}
	v, err := b.svc.connections.Secrets(b.t.Context(), c.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	// The app's own address, as somebody enters it at the operator: for all that
	// is not about messages.
	if err := b.operator.SetCallback(b.t.Context(), account, b.hooks.URL+cloud.HooksPath+c.ID.String(), v.VerifyToken); err != nil {
		b.t.Fatal(err)
	}
	return c
}

// newMessage queues a heads-up.
func (b *bench) newMessage(externalID, to string) Message {
	b.t.Helper()
	m, err := b.svc.messages.Create(b.t.Context(), b.Pool, b.actor, NewMessage{ExternalID: externalID, To: to, Template: TemplateInput{Name: "heads_up", Language: "en_US"}})
	if err != nil {
		b.t.Fatal(err)
	}
	return m
}

// queue is newMessage for many, in the lane of a campaign.
func (b *bench) queue(externalID string, lane uuid.UUID, numbers ...string) {
	b.t.Helper()
	ids := make([]uuid.UUID, len(numbers))
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	b.exec(`insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name, template_language, due_at)
		select m.id, n.organization_id, n.id, n.scope_id, $2, m.phone_number, 'heads_up', 'en_US', clock()
		from messaging_number n, unnest($3::uuid[], $4::text[]) m (id, phone_number)
		where n.external_id = $1 and n.disconnected_at is null`, externalID, lane, ids, numbers)
}

// person is the number of somebody whose message is delivered and read.
func person(n int) string { return fmt.Sprintf("+1312%07d", 2000000+n) }

// scripted is a number of the sandbox's block: mm of its plan, and n to tell
// several apart.
func scripted(mm, n int) string { return fmt.Sprintf("+1500500%s", fmt.Sprintf("9%02d%d", mm, n)) }

// fill puts recipients into the window of a number, as if they had been written
// to at a time before now.
func (b *bench) fill(externalID string, from, n int, ago time.Duration) {
	b.t.Helper()
	b.exec(`
		with sent as (
			insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name, template_language,
			                     status, sent_at, counted_at)
			select gen_random_uuid(), n.organization_id, n.id, n.scope_id, n.organization_id, '+1312' || 2000000 + i, 'heads_up', 'en_US',
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

// drain admits and sends until nothing more may go, with these processes.
func (b *bench) drain(services ...*GateService) {
	b.t.Helper()
	deadline := time.Now().Add(testwait.Limit)
	for {
		if err := b.svc.connections.Refresh(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		sent := 0
		for _, s := range services {
			sent += b.once(s)
		}
		waiting, err := b.svc.ready(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		// A webhook may just have asked for another read.
		stale := b.count(`select count(*) from messaging_connection where read_at is null and disconnected_at is null`)
		if sent == 0 && len(waiting) == 0 && stale == 0 {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatal("messages are still due")
		}
	}
}

// once is one look at every scope by a process. It tells how many were sent.
func (b *bench) once(s *GateService) int {
	b.t.Helper()
	scopes, err := s.ready(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	n := 0
	for _, id := range scopes {
		l, err := s.admit(b.t.Context(), id, inFlight)
		if errors.Is(err, ErrBusy) {
			continue
		}
		if err != nil {
			b.t.Fatal(err)
		}
		var group []sendable
		for _, m := range l.sends {
			group = append(group, m)
		}
		s.send(b.t.Context(), group)
		n += len(group)
	}
	return n
}

// admitted lets messages of the only scope through the gate, and sends none.
func (b *bench) admitted(want int) *pass {
	b.t.Helper()
	scopes, err := b.svc.ready(b.t.Context())
	if err != nil || len(scopes) != 1 {
		b.t.Fatal(scopes, err)
	}
	l, err := b.svc.admit(b.t.Context(), scopes[0], 10)
	if err != nil || len(l.sends) != want {
		b.t.Fatal(l, err)
	}
	return l
}

// exact fails unless every ledger has exactly the messages that count.
func (b *bench) exact() {
	b.t.Helper()
	wrong := b.count(`
		select count(*) from messaging_scope s
		where s.recipients <> (select count(*) from messaging_ledger l where l.scope_id = s.id)`)
	if wrong > 0 {
		b.t.Errorf("%d scopes have another number of recipients than their ledger", wrong)
	}
	wrong = b.count(`
		select count(*) from (
			select scope_id, phone_number, max(counted_at) as at from message
			where counted_at > clock() - interval '24 hours' group by scope_id, phone_number) m
		full join (select * from messaging_ledger where counted_at > clock() - interval '24 hours') l using (scope_id, phone_number)
		where m.at is distinct from l.counted_at`)
	if wrong > 0 {
		b.t.Errorf("%d entries of the ledger differ from the messages", wrong)
	}
}
