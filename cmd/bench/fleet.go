package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	fleetOrganizations = 1000 // with ten endpoints each
	fleetRate          = 500
	fleetFor           = time.Minute
	fleetPatience      = 2 * time.Minute // for the last of the healthy ones
)

// kinds are types that a webhook of its own subscribes to.
var kinds = []webhook.Type{
	webhook.CampaignScheduled, webhook.CampaignStarted, webhook.CampaignPaused, webhook.CampaignResumed, webhook.CampaignCompleted,
	webhook.CampaignCanceled, webhook.CampaignFailed, webhook.RecipientCompleted, webhook.RecipientFailed, webhook.RecipientSkipped,
}

// fleet offers events to ten thousand endpoints of which some hang and some
// fail.
func fleet(ctx context.Context, l *lab, o options) error {
	section("10,000 endpoints")
	d, err := l.delivering(ctx, "bench_fleet")
	if err != nil {
		return err
	}
	defer d.close()
	var healthy, all []*told // a sample event of each endpoint
	paths := map[string]int{}
	for i := range fleetOrganizations {
		organization, err := d.app.Accounts.CreateOrganization(ctx, account.OrganizationSettings{Name: fmt.Sprintf("Organization %d", i), TimeZone: "UTC", Region: "US"})
		if err != nil {
			return err
		}
		for j, kind := range kinds {
			path := "/ok"
			switch n := (i*len(kinds) + j) % 100; {
			case n == 0:
				path = "/hang"
			case n <= 5:
				path = "/fail"
			}
			paths[path]++
			if err := d.webhook(ctx, organization.ID, path, kind); err != nil {
				return err
			}
			e := &told{organization: organization.ID, kind: kind}
			if all = append(all, e); path == "/ok" {
				healthy = append(healthy, e)
			}
		}
	}
	good := map[told]bool{}
	for _, e := range healthy {
		good[*e] = true
	}
	isGood := func(e *told) bool { return good[told{organization: e.organization, kind: e.kind}] }
	if err := d.analyze(ctx); err != nil {
		return err
	}
	if err := d.serve(ctx); err != nil {
		return err
	}
	before, err := d.times()
	if err != nil {
		return err
	}
	var connections int
	watch, stop := context.WithCancel(ctx)
	defer stop()
	var watching sync.WaitGroup
	watching.Go(func() {
		for watch.Err() == nil {
			var n int
			if err := d.site.pool.QueryRow(watch, `select count(*) from pg_stat_activity where datname = current_database() and application_name <> 'bench'`).Scan(&n); err == nil {
				connections = max(connections, n)
			}
			time.Sleep(500 * time.Millisecond)
		}
	})
	var events []*told
	wanted := 0
	err = l.profile(ctx, d.server, "fleet", fleetFor, func() (err error) {
		events, err = d.offer(ctx, fleetRate, fleetFor, func() *told {
			e := *all[rand.IntN(len(all))]
			e.subject = uuid.New()
			if isGood(&e) {
				wanted++
			}
			return &e
		})
		if err != nil {
			return err
		}
		_, err = d.await(ctx, wanted, fleetPatience)
		return err
	})
	stop()
	watching.Wait()
	if err != nil {
		return fmt.Errorf("%w\nserver: %s", err, d.server.tail())
	}
	after, err := d.times()
	if err != nil {
		return err
	}
	took, err := d.latencies(ctx, events, isGood)
	if err != nil {
		return err
	}
	memory, err := peakMemory(d.server.pid())
	if err != nil {
		return err
	}
	out := newTable("events", "healthy: p50", "p99", "most", "CPU s: server", "PostgreSQL", "receiver", "VmHWM of the server", "connections")
	out.row(count(len(events)), ms(percentile(took, 0.5)), ms(percentile(took, 0.99)), ms(took[len(took)-1]),
		fmt.Sprintf("%.1f", (after[0]-before[0]).Seconds()), fmt.Sprintf("%.1f", (after[1]-before[1]).Seconds()), fmt.Sprintf("%.1f", (after[2]-before[2]).Seconds()),
		mebibytes(memory), fmt.Sprint(connections))
	out.print()
	fmt.Printf("\n%d events per second for %s, each in its own transaction, to one of %s endpoints: %s answer, %s hang, %s answer 500.\n",
		fleetRate, fleetFor, count(len(all)), count(paths["/ok"]), count(paths["/hang"]), count(paths["/fail"]))
	return nil
}
