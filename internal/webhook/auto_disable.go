package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

const (
	streaksEvery = time.Second

	// A webhook is disabled if its endpoint failed for failingFor, in at least
	// failingLeast attempts, one of them within failingLately.
	failingFor    = 5 * 24 * time.Hour
	failingLately = 24 * time.Hour
	failingLeast  = 10
)

// DisabledAt returns when a failing webhook will be disabled unless an attempt succeeds
// before. It is nil without enough failures.
func (w Webhook) DisabledAt() *time.Time {
	if !w.IsActive || w.FailingSince == nil || w.Failures < failingLeast {
		return nil
	}
	at := w.FailingSince.Add(failingFor)
	return &at
}

// streaks counts successes and failures by webhook and writes them once a second. All
// deliveries to an endpoint share its row, so it is not written with each batch. A
// killed process loses the counts of its last second, never an attempt.
type streaks struct {
	mu        sync.Mutex
	byWebhook map[uuid.UUID]*streak
}

// streak counts the attempts at one endpoint since the last write.
type streak struct {
	organizationID    uuid.UUID
	succeeded, failed int       // attempts, resends included
	reset             bool      // an attempt succeeded
	lastSuccess       time.Time // when the last success ended
	failures          int       // since the last success
	firstFailure      time.Time
	lastFailure       time.Time
	gone              bool // the endpoint answered 410
}

// add counts an attempt. Tests are not counted: they say nothing about the events that
// the endpoint receives or misses.
func (t *streaks) add(r *result) {
	if r.row.test {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byWebhook == nil {
		t.byWebhook = map[uuid.UUID]*streak{}
	}
	m := t.byWebhook[r.row.webhookID]
	if m == nil {
		m = &streak{organizationID: r.to.organizationID}
		t.byWebhook[r.row.webhookID] = m
	}
	ok := r.a.Outcome == sender.OutcomeSucceeded
	if ok {
		m.succeeded++
	} else {
		m.failed++
	}
	switch {
	case r.row.manual: // a resend neither starts nor ends a streak
	case ok:
		m.reset, m.lastSuccess, m.failures, m.gone = true, r.ended, 0, false
	default:
		if m.failures == 0 {
			m.firstFailure = r.ended
		}
		m.failures++
		m.lastFailure = r.ended
		m.gone = m.gone || r.a.Status == http.StatusGone
	}
}

// putBack merges counts that could not be written. Newer values win where both can't be
// kept.
func (t *streaks) putBack(marks map[uuid.UUID]*streak) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, old := range marks {
		m := t.byWebhook[id]
		if m == nil {
			if t.byWebhook == nil {
				t.byWebhook = map[uuid.UUID]*streak{}
			}
			t.byWebhook[id] = old
			continue
		}
		m.succeeded += old.succeeded
		m.failed += old.failed
		m.gone = m.gone || old.gone && !m.reset
		if !m.reset {
			if old.failures > 0 {
				if m.failures == 0 {
					m.lastFailure = old.lastFailure
				}
				m.firstFailure = old.firstFailure
			}
			m.reset, m.lastSuccess = old.reset, old.lastSuccess
			m.failures += old.failures
		}
	}
}

func (t *streaks) take() map[uuid.UUID]*streak {
	t.mu.Lock()
	defer t.mu.Unlock()
	marks := t.byWebhook
	t.byWebhook = nil
	return marks
}

// writeStreaks writes the counts and disables endpoints that failed for too long or are
// gone.
func (s *run) writeStreaks(ctx context.Context) error {
	marks := s.streaks.take()
	if len(marks) == 0 {
		return nil
	}
	failing, err := s.writeCounts(ctx, marks)
	if err != nil {
		s.streaks.putBack(marks)
		return err
	}
	var failed []error // the next failure of such a webhook tries again
	for id, m := range marks {
		switch {
		case m.gone:
			failed = append(failed, s.disable(ctx, m.organizationID, id, DisabledGone))
		case slices.Contains(failing, id):
			failed = append(failed, s.disable(ctx, m.organizationID, id, DisabledFailing))
		}
	}
	return errors.Join(failed...)
}

// writeCounts writes the counts and returns the webhooks that have failed for too long.
// A success is written if it ends a streak, or once a minute.
func (s *run) writeCounts(ctx context.Context, marks map[uuid.UUID]*streak) (failing []uuid.UUID, err error) {
	ids := make([]uuid.UUID, 0, len(marks))
	for id := range marks {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return cmp.Compare(a.String(), b.String()) })
	n, now := len(ids), time.Now()
	resets := make([]bool, n)
	successes, firsts, lasts := make([]*float64, n), make([]*float64, n), make([]*float64, n)
	failures, succeeded, failed := make([]int32, n), make([]int32, n), make([]int32, n)
	ago := func(at time.Time, ok bool) *float64 {
		if !ok {
			return nil
		}
		seconds := now.Sub(at).Seconds()
		return &seconds
	}
	for i, id := range ids {
		m := marks[id]
		resets[i], failures[i] = m.reset, int32(m.failures)
		succeeded[i], failed[i] = int32(m.succeeded), int32(m.failed)
		successes[i], firsts[i] = ago(m.lastSuccess, m.reset), ago(m.firstFailure, m.failures > 0)
		lasts[i] = ago(m.lastFailure, m.failures > 0)
	}
	rows, err := s.pool.Query(ctx, `
		with k as materialized (select clock() as t),
		r as materialized (
			select * from unnest(@ids::uuid[], @resets::bool[], @successes::float8[], @failures::int[],
				@firsts::float8[], @lasts::float8[])
			as r(id, reset, success, failures, first, last)
		), locked as materialized (
			select w.id from r join webhook w on w.id = r.id, k
			where w.deleted_at is null
			  and (r.failures > 0 or r.reset and (w.failing_since is not null or w.last_success_at is null
				or w.last_success_at < k.t - interval '1 minute'))
			order by w.id
			for no key update of w
		)
		update webhook w set
			failing_since = case when r.reset
				or w.failing_since is null then k.t - make_interval(secs => r.first) else w.failing_since end,
			failures = case when r.reset then 0 else w.failures end + r.failures,
			last_failure_at = coalesce(k.t - make_interval(secs => r.last), w.last_failure_at),
			last_success_at = coalesce(k.t - make_interval(secs => r.success), w.last_success_at)
		from r, locked, k
		where w.id = locked.id and r.id = locked.id
		returning w.id, w.is_active and `+failingTooLong,
		pgx.NamedArgs{
			"ids": ids, "resets": resets, "successes": successes, "failures": failures, "firsts": firsts,
			"lasts": lasts,
			"least": failingLeast, "for": failingFor.Seconds(), "lately": failingLately.Seconds(),
		})
	if err != nil {
		return nil, fmt.Errorf("write how endpoints do: %w", err)
	}
	var id uuid.UUID
	var tooLong bool
	_, err = pgx.ForEachRow(rows, []any{&id, &tooLong}, func() error {
		if tooLong {
			failing = append(failing, id)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("write how endpoints do: %w", err)
	}
	if err := countAttempts(ctx, s.pool, ids, succeeded, failed); err != nil {
		// The streaks are written and must not be counted twice, so a chart lacks a second.
		s.log.Warn("attempts are missing in the days of their webhooks", "webhooks", n, "error", err)
	}
	return failing, nil
}

// failingTooLong is the SQL condition that a webhook w has failed for too long.
const failingTooLong = `coalesce(w.failures >= @least and w.failing_since <= clock() - make_interval(secs => @for)
	and w.last_failure_at >= clock() - make_interval(secs => @lately), false)`

// disable disables a webhook and writes the event. It checks the failures again under
// the row lock, because another process may have had a success meanwhile.
func (s *run) disable(ctx context.Context, organizationID, id uuid.UUID, reason string) error {
	var out *Outbox
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if reason == DisabledFailing {
			var still bool
			err := tx.QueryRow(ctx, `select `+failingTooLong+` from webhook w where id = @id for no key update`,
				pgx.NamedArgs{
					"id": id, "least": failingLeast, "for": failingFor.Seconds(),
					"lately": failingLately.Seconds()}).Scan(&still)
			if err != nil || !still {
				return err
			}
		}
		out, err = disable(ctx, tx, organizationID, id, reason)
		return err
	})
	if err != nil {
		return fmt.Errorf("disable webhook %s: %w", id, err)
	}
	if out != nil {
		out.Wake(s.hub)
		s.log.Info("a webhook was disabled", "webhook_id", id, "organization_id", organizationID, "reason", reason)
	}
	return nil
}
