package dialer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/api"
	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/app/apptest"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/campaign/intake"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/model/sandbox"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/testwait"
)

// The work of the dialer and the settlement does not depend on how many past calls,
// waiting recipients and running campaigns there are.
func TestDialerAndSettlementReadWhatTheyChange(t *testing.T) {
	t.Parallel()
	const (
		pending = 50_000
		wanted  = 200 // calls, after which the dialer is stopped
		most    = 3000
	)
	network := &busyNetwork{enough: make(chan struct{}), wanted: wanted}
	w := apptest.NewWatchedHistory(t, api.Reference, func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return network, nil }
	})
	w.Write(nil, `insert into campaign
		select copy.*
		from campaign c, generate_series(1, 100) n, jsonb_populate_record(c, jsonb_build_object(
			'id', gen_random_uuid(), 'status', 'running', 'ended_at', null, 'dial_at',
				clock() + n * interval '1 hour')) copy
		where c.name <> 'Campaign 0'`)
	draft := &campaign.Draft{
		Name:           "Plans",
		ProjectID:      w.ProjectID.String(),
		AgentID:        w.AgentID.String(),
		PhoneNumberID:  w.PhoneNumberID.String(),
		Recipients:     &intake.List{},
		CallsPerSecond: new(200.0),
		MaxConcurrency: new(1000),
	}
	for i := range pending {
		draft.Recipients.Add(intake.Recipient{PhoneNumber: fmt.Sprintf("+1312%07d", 2_000_000+i)})
	}
	first, err := w.Campaigns.Create(t.Context(), account.System(w.OrganizationID), draft)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := w.Projects.CreateNumberPool(t.Context(), account.System(w.OrganizationID), project.NumberPoolSettings{
		Name: "Plans", PhoneNumberIDs: []string{w.PhoneNumberID.String()}, MaxDailyCalls: new(10_000),
		Rest: &project.Rest{BelowPercent: 1, Calls: 1000, Hours: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	pooled := &campaign.Draft{
		Name: "Pooled plans", ProjectID: draft.ProjectID, AgentID: draft.AgentID, NumberPoolID: pool.ID.String(),
		Recipients: &intake.List{}, CallsPerSecond: new(200.0), MaxConcurrency: new(1000),
	}
	for i := range pending / 50 {
		pooled.Recipients.Add(intake.Recipient{PhoneNumber: fmt.Sprintf("+1312%07d", 3_000_000+i)})
	}
	second, err := w.Campaigns.Create(t.Context(), account.System(w.OrganizationID), pooled)
	if err != nil {
		t.Fatal(err)
	}
	// Both budgets are read, beside many calls without a known price.
	w.Write(nil, `update organization set budget_amount = 1000000, budget_currency = 'USD'`,
		`update campaign set budget_amount = 1000000, budget_currency = 'USD'`,
		`insert into call_price_due (call_id, organization_id, connection_id, campaign_id, month, carrier_call_id,
			ended_at, due_at)
		select id, organization_id, connection_id, campaign_id, date_trunc('month', clock())::date, 'CA', ended_at,
			clock() + interval '1 day'
		from call where ended_at is not null`,
		`insert into cost_total (organization_id, project_id, campaign_id, month, currency, amount, calls, completed)
		select organization_id, project_id, id, date_trunc('month', clock())::date, 'USD', 1, 100, 50 from campaign`,
		`insert into cost_pending (organization_id, campaign_id, answered)
		select organization_id, id, 100 from campaign`,
		`insert into cost_month (organization_id, month, currency, amount, answered)
		select organization_id, date_trunc('month', clock())::date, currency, 1000, 100
		from campaign, (values ('USD'), ('EUR'), (null)) of (currency)
		group by organization_id, currency`)
	w.Plans() // discards the plans of the creation

	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	dialing, stop := context.WithCancel(ctx)
	dialed := make(chan error, 1)
	go func() { dialed <- w.Dialer.Run(dialing) }()
	select {
	case <-network.enough:
	case <-ctx.Done():
		t.Fatal("the dialer has not placed the calls")
	}
	stop()
	if err := <-dialed; err != nil {
		t.Fatal(err)
	}
	placed := network.placed()
	all := w.Plans()
	held, err := w.Models.Create(ctx, account.System(w.OrganizationID), connection.NewConnection{
		Provider: connection.Sandbox, Name: "Plans", Model: sandbox.Model,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Write(pgx.NamedArgs{"ids": placed, "connection": held.ID},
		// Their agent has a rule for an answer, and a model analyzes its calls.
		`update agent_version set script = script || jsonb_build_object(
			'analysis', jsonb_build_object('connection_id', @connection::uuid),
			'questions', '[{"key": "a", "ask": "A?", "expect": "yes_no", "follow_up": {"answer": true}}]'::jsonb)
			where id in (select agent_version_id from call where id = any(@ids))`,
		`insert into call_turn (call_id, index, organization_id, role, text)
			select id, 0, organization_id, 'recipient', 'Yes.' from call where id = any(@ids)`)
	w.Plans()
	deliver := func(e carrier.Event) {
		t.Helper()
		e.ConnectionID, e.At = w.ConnectionID, time.Now()
		if err := w.App.Calls.Deliver(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	for i, id := range placed {
		if i%2 == 0 {
			deliver(carrier.Event{CallID: id, Kind: carrier.Ended, Outcome: carrier.Busy})
			continue
		}
		deliver(carrier.Event{CallID: id, Kind: carrier.Answered})
		deliver(carrier.Event{CallID: id, Kind: carrier.Ended, Outcome: carrier.Completed})
	}
	settling, stop := context.WithCancel(ctx)
	defer stop()
	settled := make(chan error, 1)
	go func() { settled <- w.Settler.Run(settling) }()
	for settledCalls, over := 0, 0; settledCalls != len(placed) || over != len(placed); {
		if ctx.Err() != nil {
			t.Fatalf("%d calls were placed, and the campaigns count %d and %d recipients who are done",
				len(placed), settledCalls, over)
		}
		time.Sleep(20 * time.Millisecond)
		settledCalls, over = 0, 0
		for _, id := range []uuid.UUID{first.ID, second.ID} {
			c, err := w.Campaigns.Get(ctx, w.OrganizationID, id)
			if err != nil {
				t.Fatal(err)
			}
			settledCalls, over = settledCalls+c.CallsPlaced, over+c.Failed+c.Completed
		}
	}
	stop()
	if err := <-settled; err != nil {
		t.Fatal(err)
	}

	seen := map[string]bool{}
	for _, p := range append(all, w.Plans()...) {
		w.Check("the dialer or the settlement", most, p)
		for _, begins := range statements {
			seen[begins] = seen[begins] || strings.HasPrefix(p.Query, begins)
		}
	}
	for _, begins := range statements {
		if !seen[begins] {
			t.Errorf("no statement begins with %q", begins)
		}
	}
}

// statements lists the beginnings of the statements with the most work. The test must see
// each of them.
var statements = []string{
	"select id, organization_id, connection_id",     // finds campaigns
	"select b.budget, b.month",                      // compares costs with budgets
	"select r.id, r.phone_number, r.name",           // picks recipients
	"insert into call (",                            // claims their calls
	"update recipient r set status = 'dialing'",     // marks them
	"update call c set settled_at",                  // settles calls
	"update recipient r set status = u.status",      // updates their recipients
	"update campaign set completed = completed + $", // updates the campaign's counters
	"select n.id, case when n.max_concurrency",      // reads the numbers of a pool
	"update phone_number n set last_call_at",        // counts their calls
	"with tired as",                                 // lets them rest
	"insert into phone_number_day",                  // counts calls by number
	"with queued as ( insert into call_analysis",    // queues analyses
	"with used as ( select id, agent_id",            // finds answers that need a person
}

// busyNetwork is a carrier that takes every call and reports nothing.
type busyNetwork struct {
	carrier.Recordings // never asked for a recording
	carrier.Listening
	carrier.Prices

	enough chan struct{} // closed when the wanted number of calls is placed
	wanted int

	mu  sync.Mutex
	ids []uuid.UUID
}

func (n *busyNetwork) Place(_ context.Context, p carrier.Placement) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ids = append(n.ids, p.CallID)
	if len(n.ids) == n.wanted {
		close(n.enough)
	}
	return "CA" + p.CallID.String(), nil
}

func (n *busyNetwork) Hangup(context.Context, carrier.Ref) error { return nil }

func (n *busyNetwork) Lookup(context.Context, carrier.Ref) (carrier.Report, error) {
	return carrier.Report{}, carrier.ErrUnknownCall
}

func (n *busyNetwork) placed() []uuid.UUID {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.ids)
}
