package worker_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/postgres/pgtest"
	"github.com/dialwright/dialwright/internal/testwait"
)

// network is a carrier that answers and ends each call immediately.
type network struct {
	carrier.Recordings // the test requests no recordings and no sound
	carrier.Listening

	connection uuid.UUID
	deliver    func(context.Context, carrier.Event) error

	mu     sync.Mutex
	dialed map[string]int
}

func (n *network) Place(_ context.Context, p carrier.Placement) (string, error) {
	n.mu.Lock()
	n.dialed[p.To]++
	n.mu.Unlock()
	id := "CA" + p.CallID.String()
	go func() {
		for _, e := range []carrier.Event{
			{Kind: carrier.Answered},
			{Kind: carrier.Detected, AnsweredBy: carrier.Human},
			{Kind: carrier.Ended, Outcome: carrier.Completed},
		} {
			e.ConnectionID, e.CallID, e.CarrierCallID, e.At = n.connection, p.CallID, id, time.Now()
			for range 100 { // repeat like a carrier's callbacks
				if n.deliver(context.Background(), e) == nil {
					break
				}
			}
		}
	}()
	return id, nil
}

func (n *network) CallPrice(context.Context, string) (carrier.Price, error) {
	return carrier.Price{}, nil // not known yet
}

func (n *network) RecordingPrice(context.Context, string) (carrier.Price, error) {
	return carrier.Price{}, carrier.ErrUnknownCall
}

func (n *network) Hangup(context.Context, carrier.Ref) error { return nil }

func (n *network) Lookup(context.Context, carrier.Ref) (carrier.Report, error) {
	return carrier.Report{}, carrier.ErrUnknownCall
}

// office contains the IDs of an organization that can make calls.
type office struct{ organization, project, agent, connection, number uuid.UUID }

func newOffice(t *testing.T, db *pgtest.DB) office {
	t.Helper()
	o := office{
		organization: uuid.New(), project: uuid.New(), agent: uuid.New(), connection: uuid.New(), number: uuid.New(),
	}
	for _, statement := range []struct {
		sql  string
		args []any
	}{
		{`insert into organization (id, name) values ($1, 'Acme')`, []any{o.organization}},
		{`insert into project (id, organization_id, name, time_zone, region, calling_hours)
			values ($1, $2, 'Main', 'UTC', 'US',
			'{"timezone": "UTC", "windows": [{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start": "00:00", "end": "24:00"}]}')`, []any{o.project, o.organization}},
		{
			`insert into agent (id, organization_id, name, language, script) values ($1, $2, 'Robin', 'en-US', '{}')`,
			[]any{o.agent, o.organization},
		},
		{
			`insert into connection (id, organization_id, kind, name, account, credentials)
				values ($1, $2, 'sandbox', 'Sandbox', 'AC1', '')`,
			[]any{o.connection, o.organization},
		},
		{
			`insert into phone_number (id, organization_id, connection_id, phone_number)
				values ($1, $2, $3, '+15005550000')`,
			[]any{o.number, o.organization, o.connection},
		},
	} {
		if _, err := db.Pool.Exec(t.Context(), statement.sql, statement.args...); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// Two processes share the work while all database connections are cut repeatedly.
func TestTwoProcessesOutliveTheirConnections(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	log := slog.New(slog.DiscardHandler)
	o := newOffice(t, db)
	network := &network{connection: o.connection, dialed: map[string]int{}}
	ctx, stop := context.WithCancel(context.Background())
	var processes sync.WaitGroup
	var campaigns *campaign.Service
	_, whatsApp := apptest.WhatsApp(t, log)
	setup := apptest.New(t, db.Pool, api.Reference, func(o *app.Options) { o.WhatsApp = whatsApp })
	_, err := setup.WhatsApp.CreateConnection(ctx, account.System(o.organization), connection.NewConnection{
		Account: sandbox.Account1K,
		Settings: connection.Settings{
			Name:      "WhatsApp",
			Token:     apptest.WhatsAppToken,
			AppSecret: apptest.WhatsAppToken,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		pool, err := postgres.Open(ctx, postgres.Options{
			URL: db.URL, MaxConns: 8, Name: "process", Prepare: pgtest.Unlock,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		hub := postgres.NewHub(ctx, postgres.HubOptions{Pool: pool, Log: log})
		defer hub.Close()
		a := apptest.New(t, pool, api.Reference, func(o *app.Options) {
			o.Hub, o.WhatsApp = hub, whatsApp
			o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return network, nil }
		})
		network.deliver, campaigns = a.Calls.Deliver, a.Campaigns
		processes.Go(func() { a.Work(ctx) })
	}
	defer processes.Wait()
	defer stop()

	const people = 200
	rate, at := 100.0, 50
	d := &campaign.Draft{Name: "Spring", ProjectID: o.project.String(), AgentID: o.agent.String(),
		PhoneNumberID: o.number.String(),
		Recipients:    &intake.List{}, CallsPerSecond: &rate, MaxConcurrency: &at,
		Messaging: &campaign.MessagingInput{ExternalID: sandbox.Number1K, Trigger: campaign.TriggerAfterCall,
			Template: &messaging.TemplateInput{Name: "heads_up", Language: "en_US"}}}
	for i := range people {
		d.Recipients.Add(intake.Recipient{PhoneNumber: fmt.Sprintf("+1312%07d", 2000000+i)})
	}
	c, err := campaigns.Create(t.Context(), account.System(o.organization), d)
	if err != nil {
		t.Fatal(err)
	}
	deadline, tick := time.After(testwait.Limit), time.NewTicker(50*time.Millisecond)
	defer tick.Stop()
	for cuts := 0; ; {
		var left int
		var status campaign.Status
		err := db.Pool.QueryRow(t.Context(), `select total - completed - failed, status from campaign where id = $1`,
			c.ID).Scan(&left, &status)
		if err != nil {
			t.Fatal(err)
		}
		if status == campaign.Completed {
			if cuts == 0 {
				t.Error("it was over before a connection was cut")
			}
			break
		}
		if done := people - left; done > 30*(cuts+1) && cuts < 4 {
			cuts++
			db.Advance(2 * time.Minute) // new connections see the new time: leases and silences have expired
			if _, err := db.Pool.Exec(t.Context(), `
				select pg_terminate_backend(pid) from pg_stat_activity
					where datname = current_database() and application_name = 'process'`); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case <-deadline:
			t.Fatalf("%d of %d are left", left, people)
		case <-tick.C:
		}
	}
	network.mu.Lock()
	defer network.mu.Unlock()
	for to, n := range network.dialed {
		if n != 1 {
			t.Errorf("%s was dialed %d times", to, n)
		}
	}
	var lost int
	if err := db.Pool.QueryRow(t.Context(), `
		select count(*) from recipient
			where campaign_id = $1 and status not in ('completed', 'failed')`, c.ID).Scan(&lost); err != nil ||
		lost > 0 {
		t.Errorf("%d recipients have no last state, %v", lost, err)
	}
	// Each recipient who was reached has one message, written in the transaction that stores the outcome.
	if err := db.Pool.QueryRow(t.Context(), `
		select count(*) from recipient r
		where (select count(*) from message m where m.recipient_id = r.id) <> case r.status
			when 'completed' then 1 else 0 end`).Scan(&lost); err != nil || lost > 0 {
		t.Errorf("%d recipients have no message, or have one too many, %v", lost, err)
	}
}

// The server behind all sessions is suspended: it closes nothing and never answers. New sessions reach its successor.
// The loops detect this, and dialing continues there.
func TestDialingOutlivesAFrozenServer(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	proxy := pgtest.NewProxy(t, db)
	log := slog.New(slog.DiscardHandler)
	o := newOffice(t, db)
	network := &network{connection: o.connection, dialed: map[string]int{}}
	ctx, stop := context.WithCancel(context.Background())
	pool, err := postgres.Open(ctx, postgres.Options{URL: proxy.URL, MaxConns: 12, Prepare: pgtest.Unlock})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { go pool.Close() }() // Close waits for answers from the frozen server
	hub := postgres.NewHub(ctx, postgres.HubOptions{Pool: pool, Log: log})
	a := apptest.New(t, pool, api.Reference, func(o *app.Options) {
		o.Hub, o.StatementTime = hub, time.Second
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return network, nil }
	})
	network.deliver = func(ctx context.Context, e carrier.Event) error {
		return a.Calls.Deliver(postgres.WithStatementTime(ctx, time.Second), e)
	}
	var process sync.WaitGroup
	process.Go(func() { a.Work(ctx) })
	defer process.Wait()
	defer stop()

	rate, at := 20.0, 200
	d := &campaign.Draft{Name: "Spring", ProjectID: o.project.String(), AgentID: o.agent.String(),
		PhoneNumberID: o.number.String(),
		Recipients:    &intake.List{}, CallsPerSecond: &rate, MaxConcurrency: &at}
	for i := range 2000 {
		d.Recipients.Add(intake.Recipient{PhoneNumber: fmt.Sprintf("+1312%07d", 2000000+i)})
	}
	if _, err := apptest.New(t, db.Pool, api.Reference).Campaigns.Create(
		t.Context(), account.System(o.organization), d,
	); err != nil {
		t.Fatal(err)
	}
	dialed := func() int {
		network.mu.Lock()
		defer network.mu.Unlock()
		return len(network.dialed)
	}
	await := func(n int) {
		t.Helper()
		for deadline := time.Now().Add(testwait.Limit); dialed() < n; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d of %d were dialed", dialed(), n)
			}
		}
	}
	await(20)
	proxy.Freeze()
	began := time.Now()
	before := dialed()
	await(before + 20)
	t.Logf("20 calls later it was %s after the freeze", time.Since(began).Round(time.Millisecond))
	network.mu.Lock()
	defer network.mu.Unlock()
	for to, n := range network.dialed {
		if n != 1 {
			t.Errorf("%s was dialed %d times", to, n)
		}
	}
}
