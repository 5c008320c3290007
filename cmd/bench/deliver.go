package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	drainEvents = 20_000
	drainAim    = 5000.0 // deliveries per second
	offerRate   = 1000   // events per second
	offerFor    = 10 * time.Second
	offerAim    = 50 * time.Millisecond
	hangQueued  = 400
	hangHealthy = 200
	hangAim     = 250 * time.Millisecond

	publishers = 8
)

// delivering is a site with a server that delivers to a receiver.
type delivering struct {
	*site
	l                *lab
	receiver, server *process
	pool             *pgxpool.Pool // of the publishers
	hub              *postgres.Hub
	got              map[uuid.UUID]time.Time // receipts by event
}

func (l *lab) delivering(ctx context.Context, name string) (d *delivering, err error) {
	d = &delivering{l: l, got: map[uuid.UUID]time.Time{}}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	if d.site, err = l.site(ctx, name, 0); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if d.receiver, err = l.start(ctx, "receiver", self, nil, receiveCommand); err != nil {
		return nil, err
	}
	if d.pool, err = postgres.Open(ctx, postgres.Options{URL: d.site.url, MaxConns: publishers, Name: "bench"}); err != nil {
		return nil, err
	}
	d.hub = postgres.NewHub(ctx, postgres.HubOptions{Pool: d.pool, Log: slog.New(slog.DiscardHandler)})
	return d, nil
}

func (d *delivering) serve(ctx context.Context) (err error) {
	d.server, err = d.l.serve(ctx, d.site, "--role", "worker")
	return err
}

func (d *delivering) close() {
	if d.server != nil {
		d.server.stop()
	}
	if d.hub != nil {
		d.hub.Close()
	}
	if d.pool != nil {
		d.pool.Close()
	}
	if d.receiver != nil {
		d.receiver.stop()
	}
	if d.site != nil {
		d.site.close(d.l)
	}
}

// webhook adds an endpoint at a path of the receiver.
func (d *delivering) webhook(ctx context.Context, organization uuid.UUID, path string, events ...webhook.Type) error {
	id := uuid.Must(uuid.NewV7())
	secret := make([]byte, webhook.SecretSize)
	_, err := d.pool.Exec(ctx, `insert into webhook (id, organization_id, name, url, events, secret) values ($1, $2, 'Bench', $3, $4, $5)`,
		id, organization, d.receiver.url+path, events, d.l.vault.Seal(secret, account.Cell{Organization: organization, Table: "webhook", Column: "secret", Row: id.String()}))
	if err != nil {
		return fmt.Errorf("make a webhook: %w", err)
	}
	return nil
}

// told is a published event.
type told struct {
	organization uuid.UUID
	kind         webhook.Type
	subject      uuid.UUID
	committed    time.Time
}

// publish writes events in one transaction, as the product does, with a
// payload like a call's.
func (d *delivering) publish(ctx context.Context, events []*told) error {
	var out *webhook.Outbox
	err := postgres.InTx(ctx, d.pool, func(tx pgx.Tx) (err error) {
		if out, err = webhook.Open(ctx, tx, events[0].organization); err != nil {
			return err
		}
		for _, e := range events {
			err := out.Add(webhook.Event{OrganizationID: e.organization, Type: e.kind, SubjectID: e.subject, Data: sampleData})
			if err != nil {
				return err
			}
		}
		return out.Write(ctx, tx)
	})
	if err != nil {
		return err
	}
	now := time.Now()
	for _, e := range events {
		e.committed = now
	}
	out.Wake(d.hub)
	return nil
}

// sampleData is about as large as a call's resource: 700 bytes.
var sampleData = func() map[string]string {
	data := map[string]string{}
	for i := range 14 {
		data[fmt.Sprintf("field_number_%02d", i)] = "a value of some twenty-five"
	}
	return data
}()

// offer publishes events at a rate, one transaction each, chosen by next.
func (d *delivering) offer(ctx context.Context, rate int, lasts time.Duration, next func() *told) ([]*told, error) {
	n := rate * int(lasts.Seconds())
	all := make([]*told, n)
	for i := range all {
		all[i] = next()
	}
	work := make(chan *told, n)
	errs := make(chan error, publishers)
	var wg sync.WaitGroup
	for range publishers {
		wg.Go(func() {
			for e := range work {
				if err := d.publish(ctx, []*told{e}); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	start := time.Now()
	for i, e := range all {
		if wait := time.Until(start.Add(time.Duration(i) * time.Second / time.Duration(rate))); wait > 0 {
			time.Sleep(wait)
		}
		work <- e
	}
	close(work)
	wg.Wait()
	select {
	case err := <-errs:
		return nil, err
	default:
		return all, nil
	}
}

// await waits until n events have been received, and all that was tried is
// written down.
func (d *delivering) await(ctx context.Context, n int, patience time.Duration) (duplicates int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		more, err := receipts(ctx, d.receiver, d.got)
		duplicates += more
		if err != nil {
			return duplicates, err
		}
		if len(d.got) >= n {
			var leased bool
			err := d.pool.QueryRow(ctx, `
				select exists (select from delivery_due q join webhook w on w.id = q.webhook_id where q.state = 'leased' and w.url not like '%/hang')`).Scan(&leased)
			if err != nil || !leased {
				return duplicates, err
			}
		}
		select {
		case <-ctx.Done():
			return duplicates, fmt.Errorf("%d of %d events were received and written down", len(d.got), n)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// latencies are the times from commit to receipt of the events that wanted
// chooses, sorted. All of them must have been received.
func (d *delivering) latencies(ctx context.Context, events []*told, wanted func(*told) bool) ([]time.Duration, error) {
	rows, err := d.pool.Query(ctx, `select subject_id, id from event`)
	if err != nil {
		return nil, err
	}
	ids := map[uuid.UUID]uuid.UUID{}
	var subject, id uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&subject, &id}, func() error { ids[subject] = id; return nil }); err != nil {
		return nil, err
	}
	var all []time.Duration
	for _, e := range events {
		if !wanted(e) {
			continue
		}
		at, ok := d.got[ids[e.subject]]
		if !ok {
			return nil, fmt.Errorf("event %s was not received", ids[e.subject])
		}
		all = append(all, at.Sub(e.committed))
	}
	slices.Sort(all)
	return all, nil
}

func everyEvent(*told) bool { return true }

// times are the CPU times of server, PostgreSQL and receiver.
func (d *delivering) times() ([3]time.Duration, error) { return d.cpu(d.l, d.server, d.receiver) }

// deliver drains a queue to one endpoint, then offers events at a rate.
func deliver(ctx context.Context, l *lab, o options) error {
	section("Deliveries to one fast endpoint")
	out := newTable("run", "drained", "CPU ms per 1,000: server", "PostgreSQL", "receiver",
		fmt.Sprintf("at %s/s: p50", count(offerRate)), "p99", "most", "CPU ms per 1,000: server", "PostgreSQL", "receiver")
	var rates []float64
	var lates []time.Duration
	for round := range o.rounds {
		rate, late, cells, err := deliverOnce(ctx, l, round)
		if err != nil {
			return err
		}
		rates, lates = append(rates, rate), append(lates, late)
		out.row(append([]string{fmt.Sprint(round + 1)}, cells...)...)
	}
	out.print()
	fmt.Printf("\nDrained, median: %s/s (aim %s/s, %s). p99 from commit to receipt, median: %s (aim %s, %s). %s deliveries were queued before the server started, and measured from the first to the last receipt. Then came %s/s for %s, each in its own transaction. The CPU includes PostgreSQL's for these transactions.\n",
		count(int(median(rates))), count(int(drainAim)), met(median(rates) >= drainAim), ms(median(lates)), ms(offerAim), met(median(lates) <= offerAim),
		count(drainEvents), count(offerRate), offerFor)
	return nil
}

func deliverOnce(ctx context.Context, l *lab, round int) (rate float64, late time.Duration, cells []string, err error) {
	d, err := l.delivering(ctx, fmt.Sprintf("bench_deliver_%d", round))
	if err != nil {
		return 0, 0, nil, err
	}
	defer d.close()
	if err := d.webhook(ctx, d.OrganizationID, "/ok", kinds[0]); err != nil {
		return 0, 0, nil, err
	}
	next := func() *told { return &told{organization: d.OrganizationID, kind: kinds[0], subject: uuid.New()} }
	for done := 0; done < drainEvents; done += 500 {
		var some []*told
		for range 500 {
			some = append(some, next())
		}
		if err := d.publish(ctx, some); err != nil {
			return 0, 0, nil, err
		}
	}
	if err := d.analyze(ctx); err != nil {
		return 0, 0, nil, err
	}
	measure := func(n int, what string, fn func() error) error {
		before, err := d.times()
		if err != nil {
			return err
		}
		if err := d.l.profile(ctx, d.server, what, 5*time.Second, fn); err != nil {
			return fmt.Errorf("%w\nserver: %s", err, d.server.tail())
		}
		after, err := d.times()
		for i := range after {
			cells = append(cells, fmt.Sprintf("%.0f", (after[i]-before[i]).Seconds()*1e6/float64(n)))
		}
		return err
	}
	if err := d.serve(ctx); err != nil {
		return 0, 0, nil, err
	}
	var duplicates int
	err = measure(drainEvents, "drain", func() (err error) {
		duplicates, err = d.await(ctx, drainEvents, time.Minute)
		return err
	})
	if err != nil {
		return 0, 0, nil, err
	}
	first, last := time.Now(), time.Time{}
	for _, at := range d.got {
		if at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	rate = drainEvents / last.Sub(first).Seconds()
	cells = append([]string{count(int(rate)) + "/s"}, cells...)

	var offered []*told
	head := len(cells)
	err = measure(offerRate*int(offerFor.Seconds()), "offer", func() (err error) {
		if offered, err = d.offer(ctx, offerRate, offerFor, next); err != nil {
			return err
		}
		more, err := d.await(ctx, drainEvents+len(offered), time.Minute)
		duplicates += more
		return err
	})
	if err != nil {
		return 0, 0, nil, err
	}
	took, err := d.latencies(ctx, offered, everyEvent)
	if err != nil {
		return 0, 0, nil, err
	}
	if duplicates > 0 {
		return 0, 0, nil, fmt.Errorf("%d deliveries were made twice", duplicates)
	}
	late = percentile(took, 0.99)
	cells = slices.Insert(cells, head, ms(percentile(took, 0.5)), ms(late), ms(took[len(took)-1]))
	return rate, late, cells, nil
}

// hang queues deliveries to an endpoint that never answers, then some to a
// healthy one of another organization.
func hang(ctx context.Context, l *lab, o options) error {
	section("An endpoint that hangs beside a healthy one")
	out := newTable("run", "healthy: p50", "p99", "most")
	var lates []time.Duration
	for round := range o.rounds {
		took, err := hangOnce(ctx, l, round)
		if err != nil {
			return err
		}
		lates = append(lates, percentile(took, 0.99))
		out.row(fmt.Sprint(round+1), ms(percentile(took, 0.5)), ms(percentile(took, 0.99)), ms(took[len(took)-1]))
	}
	out.print()
	fmt.Printf("\np99, median: %s (aim %s, %s). %d deliveries were queued to an endpoint that hangs, then %d to a healthy endpoint of another organization, all in one transaction.\n",
		ms(median(lates)), ms(hangAim), met(median(lates) <= hangAim), hangQueued, hangHealthy)
	return nil
}

func hangOnce(ctx context.Context, l *lab, round int) ([]time.Duration, error) {
	d, err := l.delivering(ctx, fmt.Sprintf("bench_hang_%d", round))
	if err != nil {
		return nil, err
	}
	defer d.close()
	other, err := d.app.Accounts.CreateOrganization(ctx, account.OrganizationSettings{Name: "Other", TimeZone: "UTC", Region: "US"})
	if err == nil {
		err = errors.Join(d.webhook(ctx, d.OrganizationID, "/hang", kinds[0]), d.webhook(ctx, other.ID, "/ok", kinds[0]))
	}
	if err == nil {
		err = d.serve(ctx)
	}
	if err != nil {
		return nil, err
	}
	many := func(organization uuid.UUID, n int) []*told {
		all := make([]*told, n)
		for i := range all {
			all[i] = &told{organization: organization, kind: kinds[0], subject: uuid.New()}
		}
		return all
	}
	warm := many(other.ID, hangHealthy)
	if err := d.publish(ctx, warm); err != nil {
		return nil, err
	}
	if _, err := d.await(ctx, len(warm), time.Minute); err != nil {
		return nil, err
	}
	if err := d.publish(ctx, many(d.OrganizationID, hangQueued)); err != nil {
		return nil, err
	}
	time.Sleep(time.Second) // it has been found to hang
	healthy := many(other.ID, hangHealthy)
	if err := d.publish(ctx, healthy); err != nil {
		return nil, err
	}
	if _, err := d.await(ctx, len(warm)+len(healthy), time.Minute); err != nil {
		return nil, err
	}
	return d.latencies(ctx, healthy, everyEvent)
}
