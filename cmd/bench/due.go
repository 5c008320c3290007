package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres/plans"
)

const (
	dueFor = 8 * time.Second
	dueAim = 2.0
	dueLot = 1000 // recipients of each campaign
)

// dueStatements are those of a look that depend on how much there is to dial, by
// how they begin.
var dueStatements = []struct{ name, begins string }{
	{"find campaigns", "select id, organization_id, connection_id, phone_number_id, dial_at"},
	{"count live calls", "select clock() as now, (select deactivated_at is not null from agent"},
	{"pick recipients", "select r.id, r.phone_number, r.name"},
	{"queue calls", "insert into call ("},
	{"mark recipients", "update recipient r set status = 'dialing'"},
	{"write the campaign", "update campaign set dial_at = $1"},
}

// dueClaims compares what a dialer's looks cost PostgreSQL with a million
// recipients who are due and with ten thousand.
func dueClaims(ctx context.Context, l *lab, _ options) error {
	few, err := dueOnce(ctx, l, 10)
	if err == nil && few == nil {
		return nil // no plans here
	}
	if err != nil {
		return err
	}
	many, err := dueOnce(ctx, l, 1000)
	if err != nil {
		return err
	}
	section("Claiming recipients")
	out := newTable("statement", "10,000 in 10 campaigns: median", "p95", "blocks", "1,000,000 in 1,000: median", "p95", "blocks", "ratio of medians", fmt.Sprintf("aim %.0f", dueAim))
	for _, d := range dueStatements {
		a, b := few[d.name], many[d.name]
		if len(a.took) == 0 || len(b.took) == 0 {
			return fmt.Errorf("%s: no plan was seen", d.name)
		}
		ratio := float64(median(b.took)) / float64(median(a.took))
		aim := met(ratio <= dueAim)
		if d.name == "find campaigns" {
			aim = "" // it finds 64 of them instead of 10
		}
		out.row(d.name, ms(median(a.took)), ms(a.p95()), fmt.Sprint(a.blocks/len(a.took)), ms(median(b.took)), ms(b.p95()), fmt.Sprint(b.blocks/len(b.took)),
			fmt.Sprintf("%.2f", ratio), aim)
	}
	out.print()
	fmt.Printf("\nPostgreSQL measured the times with its own instrumentation. One dialer and one settlement work for %s. Every call is placed and ends at once. Each campaign may start one call a second. The query that finds campaigns returns at most 64 of them, so all of ten.\n", dueFor)
	return nil
}

type dueTimes struct {
	took   []time.Duration
	blocks int
}

func (d dueTimes) p95() time.Duration { return percentile(slices.Sorted(slices.Values(d.took)), 0.95) }

func dueOnce(ctx context.Context, l *lab, campaigns int) (map[string]dueTimes, error) {
	s, err := l.site(ctx, fmt.Sprintf("bench_due_%d", campaigns), 0)
	if err != nil {
		return nil, err
	}
	defer s.close(l)
	if err := s.fillDue(ctx, campaigns); err != nil {
		return nil, err
	}
	w, err := plans.Watch(ctx, s.pool)
	if errors.Is(err, plans.ErrUnavailable) {
		fmt.Printf("\nNo claims: %v.\n", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer w.Pool.Close()
	network := &brief{connection: s.ConnectionID}
	a, err := newApp(w.Pool, l.vault, func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return network, nil }
	})
	if err != nil {
		return nil, err
	}
	network.calls = a.Calls
	dialing, stop := context.WithTimeout(ctx, dueFor)
	defer stop()
	settled := make(chan error, 1)
	go func() { settled <- a.Settler.Run(dialing) }()
	err = errors.Join(a.Dialer.Run(dialing), <-settled)
	network.ending.Wait()
	if err != nil {
		return nil, err
	}
	all := map[string]dueTimes{}
	seen, err := w.Take()
	if err != nil {
		return nil, err
	}
	for _, p := range seen {
		for _, d := range dueStatements {
			if strings.HasPrefix(p.Query, d.begins) {
				t := all[d.name]
				t.took, t.blocks = append(t.took, p.Took), t.blocks+p.Blocks
				all[d.name] = t
			}
		}
	}
	return all, nil
}

// fillDue writes campaigns that run, whose recipients are all due.
func (s *site) fillDue(ctx context.Context, campaigns int) error {
	for _, sql := range []string{
		`insert into campaign (id, organization_id, project_id, agent_id, phone_number_id, connection_id, name, status,
			scheduled_at, calling_hours, max_concurrency, calls_per_second, max_attempts, retry_delays, retry_on, voicemail_action,
			ring_timeout_seconds, max_duration_seconds, total, started_at, dial_at)
		select gen_random_uuid(), p.organization_id, p.id, a.id, n.id, n.connection_id, 'Campaign ' || i, 'running',
			clock(), p.calling_hours, 10, 1, 1, '{}', '{}', 'hang_up', 30, 600, ` + fmt.Sprint(dueLot) + `, clock(), clock()
		from generate_series(1, $1::int) i, project p, agent a, phone_number n`,
		`insert into recipient (id, organization_id, campaign_id, phone_number, name, zones, zone_source, status, due_at)
		select gen_random_uuid(), c.organization_id, c.id, '+1212' || (2000000 + (row_number() over ()) % 7000000), 'Person ' || i, array['America/New_York'], 'number', 'pending', clock()
		from campaign c, generate_series(1, ` + fmt.Sprint(dueLot) + `) i where $1::int > 0`,
	} {
		if _, err := s.pool.Exec(ctx, sql, campaigns); err != nil {
			return fmt.Errorf("write campaigns: %w", err)
		}
	}
	return s.analyze(ctx)
}

// brief is a carrier whose calls are over at once: nobody picks up.
type brief struct {
	carrier.Recordings // is not asked for any

	calls      *call.Service
	connection uuid.UUID
	ending     sync.WaitGroup
}

func (b *brief) Place(ctx context.Context, p carrier.Placement) (string, error) {
	b.ending.Go(func() {
		_ = b.calls.Deliver(context.WithoutCancel(ctx), carrier.Event{
			ConnectionID: b.connection, CallID: p.CallID, CarrierCallID: "CA" + p.CallID.String(), Kind: carrier.Ended, Outcome: carrier.Busy, At: time.Now(),
		})
	})
	return "CA" + p.CallID.String(), nil
}

func (*brief) Hangup(context.Context, carrier.Ref) error { return nil }

func (*brief) Lookup(context.Context, carrier.Ref) (carrier.Report, error) {
	return carrier.Report{}, carrier.ErrUnknownCall
}
