package main

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	// queueTimeout limits the database queries of a scrape.
	queueTimeout = 3 * time.Second

	// queueMost is the maximum that a queue is counted to. So a backlog of a million costs a scrape no more than a
	// backlog of queueMost.
	queueMost = 100_000
)

// queueCollector reports the queues that all processes share. It reads them from the database at each scrape, so every
// instance reports the same values.
type queueCollector struct {
	in   *instance
	most int // normally queueMost
}

var (
	queueDepth = prometheus.NewDesc("dialwright_queue_depth",
		fmt.Sprintf("What waits in a queue, counted to %d.", queueMost), []string{"queue"}, nil)
	queueOldest = prometheus.NewDesc("dialwright_queue_oldest_seconds",
		"For how long the oldest of a queue has been due; 0 when none is.", []string{"queue"}, nil)
	liveCalls = prometheus.NewDesc("dialwright_calls_in_flight", "Calls that have not ended, by state.",
		[]string{"status"}, nil)
)

// waitsForTime is the condition of the index message_queue.
const waitsForTime = `status = 'queued' and wait_reason is distinct from 'quota'`

// queues are the queues with their queries. A query returns the depth, at most $1, and when the oldest entry fell due.
// It uses an index of due entries. It does not read entries that are not yet due: it calls clock() once, so that the
// value limits the index scan.
var queues = []struct{ name, sql string }{
	{
		"campaigns_due",
		`select count(*), min(dial_at) from (select dial_at from campaign where dial_at <= (select clock())
			order by dial_at limit $1) q`,
	},
	{
		"calls_to_settle",
		`select count(*), min(settle_after) from (select settle_after from call
			where ended_at is not null and settled_at is null and settle_after <= (select clock())
				order by settle_after limit $1) q`,
	},
	{"deliveries_ready", `
		select (select count(*) from (select from delivery_due where state = 'ready' limit $1) q),
		       (select min(first.due_at) from webhook w cross join lateral (
		          select due_at from delivery_due d where d.webhook_id = w.id and d.state = 'ready'
			order by due_at limit 1) first)`},
	{
		"deliveries_waiting",
		`select count(*), null::timestamptz from (select from delivery_due
			where state in ('waiting', 'leased') limit $1) q`,
	},
	{"messages_due", `
		with recursive lane as ( -- message_queue has an order in each
			(select number_id, lane from message where ` + waitsForTime + ` order by number_id, lane limit 1)
			union all
			select n.number_id, n.lane from lane l cross join lateral (
				select number_id, lane from message
				where ` + waitsForTime + ` and (number_id, lane) > (l.number_id, l.lane)
					order by number_id, lane limit 1) n
		)
		select (select count(*) from (
		          select from lane l cross join lateral (
		            select from message m where m.number_id = l.number_id and m.lane = l.lane and ` + waitsForTime +
		` and due_at <= (select clock())
		            order by due_at limit $1) m limit $1) q),
		       (select min(first.due_at) from lane l cross join lateral (
		          select due_at from message m where m.number_id = l.number_id and m.lane = l.lane and ` +
		waitsForTime + ` and due_at <= (select clock())
		          order by due_at limit 1) first)`},
	{
		"messages_for_quota",
		`select count(*), null::timestamptz from (select from message
			where status = 'queued' and wait_reason = 'quota' limit $1) q`,
	},
}

func (queueCollector) Describe(descs chan<- *prometheus.Desc) {
	descs <- queueDepth
	descs <- queueOldest
	descs <- liveCalls
}

// Collect reports the metrics that it can read. If the database is unavailable, only these metrics are missing, and
// the pool's own metrics still show the state.
func (c queueCollector) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
	defer cancel()
	for _, queue := range queues {
		var depth int
		var oldest *float64
		err := c.in.db.pool.QueryRow(ctx,
			`select depth, extract(epoch from clock() - oldest)::float8 from (`+queue.sql+`) q (depth, oldest)`,
			c.most).Scan(&depth, &oldest)
		if err != nil {
			metrics <- prometheus.NewInvalidMetric(queueDepth, fmt.Errorf("read the queue %s: %w", queue.name, err))
			return
		}
		age := 0.0
		if oldest != nil {
			age = max(*oldest, 0)
		}
		metrics <- prometheus.MustNewConstMetric(queueDepth, prometheus.GaugeValue, float64(depth), queue.name)
		metrics <- prometheus.MustNewConstMetric(queueOldest, prometheus.GaugeValue, age, queue.name)
	}
	var queued, ringing, talking int
	err := c.in.db.pool.QueryRow(ctx, `
		select count(*) filter (where status = 'queued'), count(*) filter (where status = 'ringing'),
			count(*) filter (where status = 'in_progress')
		from call where ended_at is null`).Scan(&queued, &ringing, &talking)
	if err != nil {
		metrics <- prometheus.NewInvalidMetric(liveCalls, fmt.Errorf("count the calls in flight: %w", err))
		return
	}
	for status, n := range map[string]int{"queued": queued, "ringing": ringing, "in_progress": talking} {
		metrics <- prometheus.MustNewConstMetric(liveCalls, prometheus.GaugeValue, float64(n), status)
	}
}
