package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
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

	fleetOrganizations = 1000 // with ten endpoints each
	fleetRate          = 500
	fleetFor           = time.Minute

	deliverPatience = 2 * time.Minute

	// receiveCommand makes this program a receiver of webhooks.
	receiveCommand = "receive"
)

// receipt is a received request.
type receipt struct {
	EventID uuid.UUID
	At      int64 // Unix nanoseconds
}

// receive answers immediately at /ok, with 500 at /fail and never at /hang. GET /receipts lists the requests to /ok
// since the previous GET.
func receive(ctx context.Context) {
	var mu sync.Mutex
	var receipts []receipt
	routes := http.NewServeMux()
	routes.HandleFunc("/ok", func(w http.ResponseWriter, r *http.Request) {
		now := time.Now().UnixNano()
		drain(r)
		id, err := uuid.Parse(r.Header.Get("Webhook-Id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		receipts = append(receipts, receipt{id, now})
	})
	routes.HandleFunc("/fail", func(w http.ResponseWriter, r *http.Request) {
		drain(r)
		w.WriteHeader(http.StatusInternalServerError)
	})
	routes.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		drain(r)
		<-r.Context().Done()
	})
	routes.HandleFunc("/receipts", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		all := receipts
		receipts = nil
		mu.Unlock()
		_ = json.NewEncoder(w).Encode(all) // fails if the client has disconnected
	})
	listen(ctx, routes)
}

// drain reads a body, so that the connection can be reused.
func drain(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) } // the client may disconnect

// delivering is a site whose server delivers to a receiver.
type delivering struct {
	*site
	receiver, server *process
	hub              *postgres.Hub
	got              map[uuid.UUID]time.Time // receipts by event
	duplicates       int                     // further receipts
}

// delivering makes a site, and starts a receiver. The benchmark starts the server.
func (l *lab) delivering(ctx context.Context, name string) *delivering {
	d := &delivering{site: l.site(ctx, name, 0), got: map[uuid.UUID]time.Time{}}
	d.receiver = l.child(ctx, "receiver", receiveCommand)
	d.hub = postgres.NewHub(ctx, postgres.HubOptions{Pool: d.pool, Log: slog.New(slog.DiscardHandler)})
	l.cleanup(d.hub.Close)
	return d
}

func (d *delivering) serve(ctx context.Context) {
	d.server = d.site.serve(ctx, d.site, "--role", "worker")
}

// webhook adds an endpoint at a path of the receiver.
func (d *delivering) webhook(ctx context.Context, organization uuid.UUID, path string, events ...webhook.Type) {
	id := uuid.Must(uuid.NewV7())
	secret := d.vault.Seal(make([]byte, webhook.SecretSize), seal.Cell{
		Organization: organization,
		Table:        "webhook",
		Column:       "secret",
		Row:          id.String(),
	})
	d.exec(ctx, `
		insert into webhook (id, organization_id, name, url, events, secret) values ($1, $2, 'Bench', $3, $4, $5)`,
		id, organization, d.receiver.url+path, events, secret)
}

func (d *delivering) organization(ctx context.Context, name string) uuid.UUID {
	settings := account.OrganizationSettings{Name: name, TimeZone: "UTC", Region: "US"}
	return must(d.app.Accounts.CreateOrganization(ctx, settings)).ID
}

// published is an event that a benchmark publishes.
type published struct {
	organization uuid.UUID
	kind         webhook.Type
	subject      uuid.UUID
	committed    time.Time
}

func events(n int, organization uuid.UUID) []*published {
	all := make([]*published, n)
	for i := range all {
		all[i] = &published{organization: organization, kind: kinds[0], subject: uuid.New()}
	}
	return all
}

// kinds are event types. In the fleet, each type has its own webhook.
var kinds = []webhook.Type{
	webhook.CampaignScheduled, webhook.CampaignStarted, webhook.CampaignPaused, webhook.CampaignResumed,
	webhook.CampaignCompleted, webhook.CampaignCanceled, webhook.CampaignFailed, webhook.RecipientCompleted,
	webhook.RecipientFailed, webhook.RecipientSkipped,
}

// publish writes events in one transaction, as the product does.
func (d *delivering) publish(ctx context.Context, events ...*published) error {
	var out *webhook.Outbox
	err := postgres.InTx(ctx, d.pool, func(tx pgx.Tx) (err error) {
		if out, err = webhook.Open(ctx, tx, events[0].organization); err != nil {
			return err
		}
		for _, e := range events {
			err := out.Add(webhook.Event{
				OrganizationID: e.organization,
				Type:           e.kind,
				SubjectID:      e.subject,
				Data:           sampleData,
			})
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

// sampleData has the size of a call's resource.
var sampleData = map[string]string{"text": strings.Repeat("data ", 140)}

// offer publishes events at a constant rate, each in its own transaction.
func (d *delivering) offer(ctx context.Context, rate int, events []*published) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(siteConnections)
	start := time.Now()
	for i, e := range events {
		time.Sleep(time.Until(start.Add(time.Duration(i) * time.Second / time.Duration(rate))))
		group.Go(func() error { return d.publish(ctx, e) })
	}
	check(group.Wait())
}

// await waits until n events in total have been received, and the results of all attempts are stored.
func (d *delivering) await(ctx context.Context, n int) {
	poll(ctx, deliverPatience, 100*time.Millisecond, "too few events were received", func() bool {
		receipts, _, err := read[[]receipt](ctx, request{method: http.MethodGet, url: d.receiver.url + "/receipts"})
		check(err)
		for _, r := range receipts {
			if _, there := d.got[r.EventID]; there {
				d.duplicates++
			} else {
				d.got[r.EventID] = time.Unix(0, r.At)
			}
		}
		if len(d.got) < n {
			return false
		}
		var leased bool
		d.scan(ctx, `
			select exists (
				select from delivery_due q join webhook w on w.id = q.webhook_id
				where q.state = 'leased' and w.url not like '%/hang')`, nil, &leased)
		return !leased
	})
}

// latencies returns the times from the commit of events to their receipts, sorted.
func (d *delivering) latencies(ctx context.Context, events []*published) (all []time.Duration) {
	ids := map[uuid.UUID]uuid.UUID{}
	var subject, id uuid.UUID
	rows := must(d.pool.Query(ctx, `select subject_id, id from event`))
	must(pgx.ForEachRow(rows, []any{&subject, &id}, func() error { ids[subject] = id; return nil }))
	for _, e := range events {
		at, ok := d.got[ids[e.subject]]
		if !ok {
			failf("event %s was not received", ids[e.subject])
		}
		all = append(all, at.Sub(e.committed))
	}
	slices.Sort(all)
	return all
}

// deliver drains a queue to one endpoint, then offers events at a constant rate.
func deliver(ctx context.Context, l *lab) {
	section("Deliveries to one fast endpoint")
	out := newTable("run", "drained", "CPU ms per 1,000: server", "PostgreSQL", "receiver",
		"at "+count(offerRate)+"/s: p50", "p99", "most", "CPU ms per 1,000: server", "PostgreSQL", "receiver")
	var rates []float64
	var lates []time.Duration
	var drainUsed, offerUsed [][]time.Duration
	l.eachRound(func(round int) {
		d := l.delivering(ctx, fmt.Sprintf("bench_deliver_%d", round))
		d.webhook(ctx, d.OrganizationID, "/ok", kinds[0])
		for some := range slices.Chunk(events(drainEvents, d.OrganizationID), 500) {
			check(d.publish(ctx, some...))
		}
		d.exec(ctx, `vacuum analyze`)
		d.serve(ctx)
		drainCPU := l.measure(ctx, "drain", 5*time.Second, func() { d.await(ctx, drainEvents) }, d.server, d.receiver)
		received := slices.SortedFunc(maps.Values(d.got), time.Time.Compare)
		rate := drainEvents / received[len(received)-1].Sub(received[0]).Seconds()

		offered := events(offerRate*int(offerFor.Seconds()), d.OrganizationID)
		offerCPU := l.measure(ctx, "offer", 5*time.Second, func() {
			d.offer(ctx, offerRate, offered)
			d.await(ctx, drainEvents+len(offered))
		}, d.server, d.receiver)
		if d.duplicates > 0 {
			failf("%d deliveries were made twice", d.duplicates)
		}
		took := d.latencies(ctx, offered)
		rates, lates = append(rates, rate), append(lates, percentile(took, 0.99))
		drainUsed, offerUsed = append(drainUsed, drainCPU), append(offerUsed, offerCPU)
		out.row(round+1, perSecond(rate), scaled("%.0f", drainCPU, 1e6/drainEvents),
			spread(took), scaled("%.0f", offerCPU, 1e6/float64(len(offered))))
	})
	out.print("Drained, median: %s (aim %s, %s). p99 from commit to receipt, median: %s (aim %s, %s). %s deliveries "+
		"were queued before the server started, and measured from the first to the last receipt. Then came %s/s for "+
		"%s, each in its own transaction. The CPU includes PostgreSQL's for these transactions.",
		perSecond(median(rates)), perSecond(drainAim), met(median(rates) >= drainAim),
		ms(median(lates)), ms(offerAim), met(median(lates) <= offerAim), count(drainEvents), count(offerRate), offerFor)
	l.figure("deliveries drained", "1/s", median(rates))
	l.cpuOf("a delivery drained", drainUsed, drainEvents, "receiver")
	l.duration("delivered at "+count(offerRate)+"/s, p99", median(lates))
	l.cpuOf("a delivery at "+count(offerRate)+"/s", offerUsed, offerRate*int(offerFor.Seconds()), "receiver")
}

// hang queues deliveries to an endpoint that never answers, then deliveries to a healthy endpoint of another
// organization.
func hang(ctx context.Context, l *lab) {
	section("An endpoint that hangs beside a healthy one")
	out := newTable("run", "healthy: p50", "p99", "most")
	var lates []time.Duration
	l.eachRound(func(round int) {
		d := l.delivering(ctx, fmt.Sprintf("bench_hang_%d", round))
		other := d.organization(ctx, "Other")
		d.webhook(ctx, d.OrganizationID, "/hang", kinds[0])
		d.webhook(ctx, other, "/ok", kinds[0])
		d.serve(ctx)
		check(d.publish(ctx, events(hangHealthy, other)...)) // warms connections and plans
		d.await(ctx, hangHealthy)
		check(d.publish(ctx, events(hangQueued, d.OrganizationID)...))
		time.Sleep(time.Second) // time for the server to notice that the endpoint hangs
		healthy := events(hangHealthy, other)
		check(d.publish(ctx, healthy...))
		d.await(ctx, 2*hangHealthy)
		took := d.latencies(ctx, healthy)
		lates = append(lates, percentile(took, 0.99))
		out.row(round+1, spread(took))
	})
	out.print("p99, median: %s (aim %s, %s). %d deliveries were queued to an endpoint that hangs, then %d to a "+
		"healthy endpoint of another organization, all in one transaction.",
		ms(median(lates)), ms(hangAim), met(median(lates) <= hangAim), hangQueued, hangHealthy)
	l.duration("delivered beside an endpoint that hangs, p99", median(lates))
}

// fleet offers events to 10,000 endpoints. Some endpoints hang and some fail.
func fleet(ctx context.Context, l *lab) {
	section("10,000 endpoints")
	d := l.delivering(ctx, "bench_fleet")
	type endpoint struct {
		organization uuid.UUID
		kind         webhook.Type
		path         string
	}
	var endpoints []endpoint
	paths := map[string]int{}
	for i := range fleetOrganizations {
		organization := d.organization(ctx, fmt.Sprintf("Organization %d", i))
		for _, kind := range kinds {
			e := endpoint{organization, kind, "/ok"}
			switch n := len(endpoints) % 100; {
			case n == 0:
				e.path = "/hang"
			case n <= 5:
				e.path = "/fail"
			}
			endpoints = append(endpoints, e)
			paths[e.path]++
			d.webhook(ctx, organization, e.path, kind)
		}
	}
	d.exec(ctx, `vacuum analyze`)
	d.serve(ctx)
	var all, healthy []*published
	for range fleetRate * int(fleetFor.Seconds()) {
		to := endpoints[rand.IntN(len(endpoints))]
		e := &published{organization: to.organization, kind: to.kind, subject: uuid.New()}
		if all = append(all, e); to.path == "/ok" {
			healthy = append(healthy, e)
		}
	}
	watch, stop := context.WithCancel(ctx)
	defer stop()
	connections := make(chan int, 1)
	go func() { connections <- d.mostConnections(watch) }()
	used := l.measure(ctx, "fleet", fleetFor, func() {
		d.offer(ctx, fleetRate, all)
		d.await(ctx, len(healthy))
	}, d.server, d.receiver)
	stop()
	out := newTable("events", "healthy: p50", "p99", "most", "CPU s: server", "PostgreSQL", "receiver",
		"VmHWM of the server", "connections")
	took := d.latencies(ctx, healthy)
	out.row(len(all), spread(took), scaled("%.1f", used, 1),
		mebibytes(peakMemory(d.server)), <-connections)
	out.print("%d events per second for %s, each in its own transaction, to one of %s endpoints: %s answer, %s hang, "+
		"%s answer 500.", fleetRate, fleetFor, count(len(endpoints)), count(paths["/ok"]), count(paths["/hang"]),
		count(paths["/fail"]))
	l.duration("delivered to 10,000 endpoints, p99", percentile(took, 0.99))
	l.cpuOf("an event for 10,000 endpoints", [][]time.Duration{used}, len(all), "receiver")
}

// mostConnections returns the maximum number of connections that the server has until ctx ends.
func (d *delivering) mostConnections(ctx context.Context) (most int) {
	for ctx.Err() == nil {
		var n int
		err := d.pool.QueryRow(ctx, `
			select count(*) from pg_stat_activity
			where datname = current_database() and application_name <> 'bench'`).Scan(&n)
		if err == nil {
			most = max(most, n)
		}
		time.Sleep(500 * time.Millisecond)
	}
	return most
}
