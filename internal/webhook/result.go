package webhook

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook/sender"
)

const (
	maxRecordBatch = 256                   // results recorded in one transaction
	writeLinger    = 20 * time.Millisecond // wait for more results
	writeTimeout   = 10 * time.Second
)

// result is a finished attempt, to be recorded.
type result struct {
	row   row
	to    *target
	a     sender.Attempt
	next  time.Duration // after the end of the attempt
	again bool          // another attempt follows
	ended time.Time
}

// resultOf decides whether and when another attempt follows.
func resultOf(f *slot, a sender.Attempt, chance float64) result {
	r := result{row: f.row, to: f.target, a: a, ended: time.Now()}
	if !f.row.manual && a.Outcome != sender.OutcomeSucceeded && a.Status != http.StatusGone {
		r.next, r.again = nextAttempt(f.row.step, a.RetryAfter, chance)
	}
	return r
}

// expired reports whether the lease is over, so the row may belong to another process.
func (r *result) expired() bool { return time.Since(r.row.taken) >= lease }

// recordResults records the results that arrive, in batches, until the channel is
// closed.
func (s *run) recordResults() {
	batch := make([]result, 0, maxRecordBatch)
	linger := time.NewTimer(0)
	<-linger.C
	var first *result // of the next batch: a batch has each delivery once
	for {
		batch = batch[:0]
		if first != nil {
			batch = append(batch, *first)
			first = nil
		} else {
			r, ok := <-s.results
			if !ok {
				return
			}
			batch = append(batch, r)
		}
		linger.Reset(writeLinger)
		full := false
		for len(batch) < maxRecordBatch && !full {
			select {
			case r, ok := <-s.results:
				switch {
				case !ok:
					full = true
				case contains(batch, r.row.deliveryID):
					first, full = &r, true
				default:
					batch = append(batch, r)
				}
			case <-linger.C:
				full = true
			}
		}
		linger.Stop()
		s.recordUntilDone(batch)
	}
}

// contains reports whether a delivery is in a batch.
func contains(batch []result, deliveryID uuid.UUID) bool {
	for i := range batch {
		if batch[i].row.deliveryID == deliveryID {
			return true
		}
	}
	return false
}

// recordUntilDone records a batch, and tries again while the database is unavailable. It
// drops results whose lease is over: their rows are ready again, and these deliveries
// are made once more.
func (s *run) recordUntilDone(batch []result) {
	t := failureLog{log: s.log, what: "write what became of deliveries"}
	for {
		n := len(batch)
		kept := batch[:0]
		for _, r := range batch {
			if !r.expired() {
				kept = append(kept, r)
			}
		}
		if batch = kept; len(batch) < n {
			s.log.Warn("results were dropped: they could not be written while their leases lasted", "results",
				n-len(batch))
		}
		if len(batch) == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), writeTimeout)
		err := s.record(ctx, batch)
		cancel()
		if err == nil {
			t.recovered()
			for i := range batch {
				attempts.WithLabelValues(string(batch[i].a.Outcome)).Inc()
				attemptSeconds.Observe(batch[i].a.Duration.Seconds())
				s.streaks.add(&batch[i])
			}
			return
		}
		time.Sleep(t.failed(err))
	}
}

// resultTable passes results to SQL as table r. Times are passed as seconds ago, because
// stored times follow PostgreSQL's clock.
var resultTable = postgres.NewColumns("r",
	postgres.Column("delivery_id", "uuid", func(r *result) uuid.UUID { return r.row.deliveryID }),
	postgres.Column("manual", "bool", func(r *result) bool { return r.row.manual }),
	postgres.Column("lease", "bigint", func(r *result) int64 { return r.row.lease }),
	postgres.Column("next", "float8", func(r *result) *float64 {
		if !r.again {
			return nil
		}
		return new(r.next.Seconds())
	}),
	postgres.Column("started", "float8", func(r *result) float64 { return time.Since(r.a.Began).Seconds() }),
	postgres.Column("ended", "float8", func(r *result) float64 { return time.Since(r.ended).Seconds() }),
	postgres.Column("url", "text", func(r *result) string { return r.a.URL }),
	postgres.Column("signed_at", "bigint", func(r *result) int64 { return r.a.SignedAt }),
	postgres.Column("signature", "text", func(r *result) string { return r.a.Signature }),
	postgres.Column("outcome", "text", func(r *result) string { return string(r.a.Outcome) }),
	postgres.Column("problem", "text", func(r *result) *string {
		if r.a.Problem == "" {
			return nil
		}
		return &r.a.Problem
	}),
	postgres.Column("address", "text", func(r *result) *string {
		if !r.a.Address.IsValid() {
			return nil
		}
		return new(r.a.Address.String())
	}),
	postgres.Column("status", "int", func(r *result) *int32 {
		if r.a.Status == 0 {
			return nil
		}
		return new(int32(r.a.Status))
	}),
	postgres.Column("headers", "text", func(r *result) *string {
		if r.a.Status == 0 {
			return nil
		}
		return new(string(r.a.Headers))
	}),
	postgres.Column("body", "bytea", func(r *result) []byte {
		switch {
		case r.a.Status == 0:
			return nil
		case r.a.Body == nil:
			return []byte{} // an answer without a body
		}
		return r.a.Body
	}),
	postgres.Column("cut", "bool", func(r *result) bool { return r.a.Cut }),
	postgres.Column("reconnected", "bool", func(r *result) bool { return r.a.Reconnected }),
	postgres.Column("dns", "real", func(r *result) *float32 { return milliseconds(r.a.DNS) }),
	postgres.Column("connect", "real", func(r *result) *float32 { return milliseconds(r.a.Connect) }),
	postgres.Column("tls", "real", func(r *result) *float32 { return milliseconds(r.a.TLS) }),
	postgres.Column("first", "real", func(r *result) *float32 { return milliseconds(r.a.FirstByte) }),
	postgres.Column("duration", "int", func(r *result) int32 { return int32(r.a.Duration.Milliseconds()) }),
)

// record writes attempts, deliveries and the queue in one statement. It skips rows that
// have another lease by now, and their deliveries: the process with that lease makes the
// attempt that is recorded.
func (s *run) record(ctx context.Context, batch []result) error {
	// All processes lock deliveries in one order, because two of them may record a
	// resend and a retry of the same deliveries.
	batch = slices.Clone(batch)
	slices.SortFunc(batch, func(a, b result) int { return bytes.Compare(a.row.deliveryID[:], b.row.deliveryID[:]) })
	_, err := s.pool.Exec(ctx, `
		with k as materialized (select clock() as t),
		r as materialized (
			select * from `+resultTable.Table()+`
		), mine as materialized (
			select r.* from r join delivery_due q on q.delivery_id = r.delivery_id and q.manual = r.manual
				and q.lease = r.lease
		), done as (
			update delivery d set
				attempts = d.attempts + 1,
				status = case
					when d.status = 'succeeded' or r.outcome = 'succeeded' then 'succeeded'
					when r.manual and d.next_attempt_at is not null then d.status -- of a test, it was the only one
					when r.next is null then 'failed'
					else 'pending'
				end,
				response_status = r.status, error = r.problem, duration_ms = r.duration,
				next_attempt_at = case
					when d.status = 'succeeded' or r.outcome = 'succeeded' then null
					when r.manual then d.next_attempt_at
					else k.t + make_interval(secs => r.next - r.ended)
				end,
				delivered_at = case when r.outcome = 'succeeded' then coalesce(d.delivered_at,
					k.t - make_interval(secs => r.ended)) else d.delivered_at end
			from mine r, k
			where d.id = r.delivery_id
			returning d.id, d.attempts, d.status, d.next_attempt_at, r.manual, r.lease
		), gone as (
			delete from delivery_due q using done d
			where q.delivery_id = d.id
			  and case when q.manual = d.manual and q.lease = d.lease then d.manual or d.next_attempt_at is null
			           else d.status = 'succeeded' and not q.manual
				and q.state <> 'leased' end -- a retry that is not needed any more
		), later as (
			update delivery_due q
				set state = 'waiting', due_at = d.next_attempt_at, step = q.step + 1, lease = null, lost = 0
			from done d
			where q.delivery_id = d.id and q.lease = d.lease and not q.manual and not d.manual
				and d.next_attempt_at is not null
		)
		insert into delivery_attempt (delivery_id, number, manual, url, signed_at, signature, outcome, error,
			remote_address,
			response_status, response_headers, response_body, response_cut, reconnected,
			dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms, started_at)
		select r.delivery_id, d.attempts, r.manual, r.url, r.signed_at, r.signature, r.outcome, r.problem,
			r.address::inet,
			r.status, r.headers::jsonb, r.body, r.cut, r.reconnected, r.dns, r.connect, r.tls, r.first, r.duration,
			k.t - make_interval(secs => r.started)
		from done d join r on r.delivery_id = d.id, k`, resultTable.Args(batch))
	if err != nil {
		return fmt.Errorf("write %d results: %w", len(batch), err)
	}
	return nil
}

// milliseconds converts a part of an attempt; nil if the part did not take place.
func milliseconds(d time.Duration) *float32 {
	if d < 0 {
		return nil
	}
	ms := float32(d.Seconds() * 1000)
	return &ms
}
