package webhook

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	// HealthDays is how many days Health covers, today included.
	HealthDays = 14
	// MaxWaiting bounds the count of waiting deliveries.
	MaxWaiting = 10_000
	// sampled is how many of the newest successful deliveries Health measures.
	sampled = 1000
)

// IsFailing is the SQL condition that a webhook is active, has at least three failed
// attempts and had no success for five minutes. A single failed attempt is retried within
// seconds and usually succeeds, so it raises no alarm.
const IsFailing = `coalesce(is_active and failures >= 3 and failing_since <= clock() - interval '5 minutes', false)`

// Health describes how an endpoint answers. Tests are left out. Reading it takes the
// same time however long the log is.
type Health struct {
	Days         []Day // HealthDays days, oldest first
	Sampled      int   // measured deliveries; 0: none succeeded
	Median       time.Duration
	P95          time.Duration // one delivery of 20 took longer
	Waiting      int           // pending deliveries, counted up to MaxWaiting
	FailingSince *time.Time    // the first failed attempt since the last success
}

// Day counts the attempts of a day. A delivery that took three attempts counts as two
// failures and one success.
type Day struct {
	Date      time.Time // midnight UTC of the day in the organization's time zone
	Succeeded int
	Failed    int
}

// AttemptCounts counts attempts by result.
type AttemptCounts struct {
	Succeeded, Failed int
}

// Health reads how a webhook's endpoint answers. Errors: NotFound.
func (s *Service) Health(ctx context.Context, organizationID, id uuid.UUID) (Health, error) {
	w, err := s.Get(ctx, organizationID, id)
	if err != nil {
		return Health{}, err
	}
	today, err := s.today(ctx, organizationID)
	if err != nil {
		return Health{}, err
	}
	h := Health{FailingSince: w.FailingSince}
	args := pgx.NamedArgs{"id": id, "today": today, "days": HealthDays, "sampled": sampled, "waiting": MaxWaiting}
	rows, err := s.pool.Query(ctx, `
		select d.day::date as date, coalesce(n.succeeded, 0) as succeeded, coalesce(n.failed, 0) as failed
		from generate_series(@today::date - (@days::int - 1), @today::date, interval '1 day') d(day)
		left join webhook_day n on n.webhook_id = @id and n.day = d.day::date
		order by d.day`, args)
	if err != nil {
		return Health{}, fmt.Errorf("read the days of webhook %s: %w", id, err)
	}
	if h.Days, err = pgx.CollectRows(rows, pgx.RowToStructByName[Day]); err != nil {
		return Health{}, fmt.Errorf("read the days of webhook %s: %w", id, err)
	}
	var median, p95 float64 // milliseconds
	err = s.pool.QueryRow(ctx, `
		select took.n, took.median, took.p95, waiting.n
		from (
			select count(*) as n,
			       coalesce(percentile_cont(0.5) within group (order by duration_ms), 0) as median,
			       coalesce(percentile_cont(0.95) within group (order by duration_ms), 0) as p95
			from (
				select d.duration_ms from delivery d
				where d.webhook_id = @id and d.status = 'succeeded' and d.event_type <> 'webhook.test'
				  -- A join would read every event.
				  and not coalesce((select e.is_test from event e where e.id = d.event_id), false)
				order by d.created_at desc, d.id desc limit @sampled
			) newest
		) took, (
			select count(*) as n
			from (select from delivery where webhook_id = @id and status = 'pending' limit @waiting) open
		) waiting`, args).Scan(&h.Sampled, &median, &p95, &h.Waiting)
	if err != nil {
		return Health{}, fmt.Errorf("read the figures of webhook %s: %w", id, err)
	}
	h.Median = time.Duration(median * float64(time.Millisecond))
	h.P95 = time.Duration(p95 * float64(time.Millisecond))
	return h, nil
}

// AttemptCounts counts the attempts of the last HealthDays by webhook. Webhooks without
// attempts are left out.
func (s *Service) AttemptCounts(ctx context.Context, organizationID uuid.UUID) (map[uuid.UUID]AttemptCounts, error) {
	today, err := s.today(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	rows, err := s.pool.Query(ctx, `
		select n.webhook_id, sum(n.succeeded)::int, sum(n.failed)::int
		from webhook w
		join webhook_day n on n.webhook_id = w.id and n.day > @today::date - @days::int
		where w.organization_id = @organization_id and w.deleted_at is null
		group by n.webhook_id`, pgx.NamedArgs{"organization_id": organizationID, "today": today, "days": HealthDays})
	if err != nil {
		return nil, fmt.Errorf("read the shares of webhooks: %w", err)
	}
	shares := map[uuid.UUID]AttemptCounts{}
	var id uuid.UUID
	var share AttemptCounts
	_, err = pgx.ForEachRow(rows, []any{&id, &share.Succeeded, &share.Failed}, func() error {
		shares[id] = share
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the shares of webhooks: %w", err)
	}
	return shares, nil
}

// Failing counts the webhooks of an organization that are failing or were disabled for
// failing.
func (s *Service) Failing(ctx context.Context, organizationID uuid.UUID) (n int, err error) {
	err = s.pool.QueryRow(ctx, `
		select count(*) from webhook
		where organization_id = @organization_id and deleted_at is null
		  and (`+IsFailing+` or disabled_reason is not null)`,
		pgx.NamedArgs{"organization_id": organizationID}).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count failing webhooks: %w", err)
	}
	return n, nil
}

// dayOf returns the day of a moment in a time zone, as its midnight in UTC. It does not
// use PostgreSQL, whose server may know fewer zones: one unknown zone would fail a
// statement about many organizations.
func dayOf(at time.Time, zone string) time.Time {
	if l, err := time.LoadLocation(zone); err == nil {
		at = at.In(l)
	} else {
		at = at.UTC()
	}
	y, m, d := at.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// today returns the current day in an organization's time zone.
func (s *Service) today(ctx context.Context, organizationID uuid.UUID) (time.Time, error) {
	var now time.Time
	var zone string
	err := s.pool.QueryRow(ctx, `select clock(), time_zone from organization where id = @id`, pgx.NamedArgs{
		"id": organizationID,
	}).Scan(&now, &zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("read what day it is for organization %s: %w", organizationID, err)
	}
	return dayOf(now, zone), nil
}

// countAttempts adds attempts to the days of their webhooks. It takes the rows in one
// order, so that concurrent writers never deadlock.
func countAttempts(ctx context.Context, db postgres.DB, webhooks []uuid.UUID, succeeded, failed []int32) error {
	rows, err := db.Query(ctx, `
		select k.t, o.time_zone
		from (select clock() as t) k, unnest(@webhooks::uuid[]) with ordinality r(webhook_id, n)
		left join webhook w on w.id = r.webhook_id
		left join organization o on o.id = w.organization_id
		order by r.n`, pgx.NamedArgs{"webhooks": webhooks})
	if err != nil {
		return fmt.Errorf("read the time zones of %d webhooks: %w", len(webhooks), err)
	}
	days, known := make([]time.Time, 0, len(webhooks)), map[string]time.Time{}
	var now time.Time
	var zone *string // nil: the webhook is gone
	_, err = pgx.ForEachRow(rows, []any{&now, &zone}, func() error {
		name := "UTC"
		if zone != nil {
			name = *zone
		}
		if _, ok := known[name]; !ok {
			known[name] = dayOf(now, name)
		}
		days = append(days, known[name])
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the time zones of %d webhooks: %w", len(webhooks), err)
	}
	_, err = db.Exec(ctx, `
		insert into webhook_day as d (webhook_id, day, succeeded, failed)
		select w.id, r.day, r.succeeded, r.failed
		from unnest(@webhooks::uuid[], @days::date[], @succeeded::int[], @failed::int[]) r(webhook_id, day, succeeded,
			failed)
		join webhook w on w.id = r.webhook_id
		order by w.id, r.day
		on conflict (webhook_id, day) do update
			set succeeded = d.succeeded + excluded.succeeded, failed = d.failed + excluded.failed`,
		pgx.NamedArgs{"webhooks": webhooks, "days": days, "succeeded": succeeded, "failed": failed})
	if err != nil {
		return fmt.Errorf("count the attempts of %d webhooks: %w", len(webhooks), err)
	}
	return nil
}
