package webhook

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
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
	a     attempt
	next  time.Duration // after the end of the attempt
	again bool          // another attempt follows
	ended time.Time
}

// resultOf decides whether and when another attempt follows.
func resultOf(f *slot, a attempt, chance float64) result {
	r := result{row: f.row, to: f.target, a: a, ended: time.Now()}
	if !f.row.manual && a.outcome != OutcomeSucceeded && a.status != http.StatusGone {
		r.next, r.again = nextAttempt(f.row.step, a.retryAfter, chance)
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
			s.log.Warn("results were dropped: they could not be written while their leases lasted", "results", n-len(batch))
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
				attempts.WithLabelValues(string(batch[i].a.outcome)).Inc()
				attemptSeconds.Observe(batch[i].a.duration.Seconds())
				s.streaks.add(&batch[i])
			}
			return
		}
		time.Sleep(t.failed(err))
	}
}

// record writes attempts, deliveries and the queue in one statement. It skips rows whose
// lease is no longer ours, with their deliveries: the process that has the lease makes
// the attempt that counts.
func (s *run) record(ctx context.Context, batch []result) error {
	// All processes lock deliveries in one order, because two of them may record a
	// resend and a retry of the same deliveries.
	batch = slices.Clone(batch)
	slices.SortFunc(batch, func(a, b result) int { return bytes.Compare(a.row.deliveryID[:], b.row.deliveryID[:]) })
	n := len(batch)
	var (
		ids                            = make([]uuid.UUID, n)
		manual, cuts, reconnected      = make([]bool, n), make([]bool, n), make([]bool, n)
		leases, signed                 = make([]int64, n), make([]int64, n)
		urls, signatures, outcomes     = make([]string, n), make([]string, n), make([]string, n)
		problems, addresses, headers   = make([]*string, n), make([]*string, n), make([]*string, n)
		statuses                       = make([]*int32, n)
		bodies                         = make([][]byte, n)
		dns, connect, handshake, first = make([]*float32, n), make([]*float32, n), make([]*float32, n), make([]*float32, n)
		durations                      = make([]int32, n)
		nexts                          = make([]*float64, n)
		startedAgo, endedAgo           = make([]float64, n), make([]float64, n)
		now                            = time.Now()
	)
	for i := range batch {
		r, a := &batch[i], &batch[i].a
		ids[i], manual[i], leases[i] = r.row.deliveryID, r.row.manual, r.row.lease
		urls[i], signed[i], signatures[i] = a.url, a.signedAt, a.signature
		outcomes[i], cuts[i], reconnected[i] = string(a.outcome), a.cut, a.reconnected
		if a.problem != "" {
			problems[i] = &a.problem
		}
		if a.address.IsValid() {
			text := a.address.String()
			addresses[i] = &text
		}
		if a.status != 0 {
			status := int32(a.status)
			text := string(a.headers)
			statuses[i], headers[i], bodies[i] = &status, &text, a.body
			if bodies[i] == nil {
				bodies[i] = []byte{}
			}
		}
		dns[i], connect[i], handshake[i], first[i] = milliseconds(a.dns), milliseconds(a.connect), milliseconds(a.tls), milliseconds(a.firstByte)
		durations[i] = int32(a.duration.Milliseconds())
		startedAgo[i], endedAgo[i] = now.Sub(a.began).Seconds(), now.Sub(r.ended).Seconds()
		if r.again {
			seconds := r.next.Seconds()
			nexts[i] = &seconds
		}
	}
	_, err := s.pool.Exec(ctx, `
		with k as materialized (select clock() as t),
		r as materialized (
			select * from unnest(@ids::uuid[], @manual::bool[], @leases::bigint[], @nexts::float8[], @started::float8[], @ended::float8[],
				@urls::text[], @signed::bigint[], @signatures::text[], @outcomes::text[], @problems::text[], @addresses::text[],
				@statuses::int[], @headers::text[], @bodies::bytea[], @cuts::bool[], @reconnected::bool[],
				@dns::real[], @connect::real[], @tls::real[], @first::real[], @durations::int[])
			as r(delivery_id, manual, lease, next, started, ended, url, signed_at, signature, outcome, problem, address,
				status, headers, body, cut, reconnected, dns, connect, tls, first, duration)
		), mine as materialized (
			select r.* from r join delivery_due q on q.delivery_id = r.delivery_id and q.manual = r.manual and q.lease = r.lease
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
				delivered_at = case when r.outcome = 'succeeded' then coalesce(d.delivered_at, k.t - make_interval(secs => r.ended)) else d.delivered_at end
			from mine r, k
			where d.id = r.delivery_id
			returning d.id, d.attempts, d.status, d.next_attempt_at, r.manual, r.lease
		), gone as (
			delete from delivery_due q using done d
			where q.delivery_id = d.id
			  and case when q.manual = d.manual and q.lease = d.lease then d.manual or d.next_attempt_at is null
			           else d.status = 'succeeded' and not q.manual and q.state <> 'leased' end -- a retry that is not needed any more
		), later as (
			update delivery_due q set state = 'waiting', due_at = d.next_attempt_at, step = q.step + 1, lease = null, lost = 0
			from done d
			where q.delivery_id = d.id and q.lease = d.lease and not q.manual and not d.manual and d.next_attempt_at is not null
		)
		insert into delivery_attempt (delivery_id, number, manual, url, signed_at, signature, outcome, error, remote_address,
			response_status, response_headers, response_body, response_cut, reconnected,
			dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms, started_at)
		select r.delivery_id, d.attempts, r.manual, r.url, r.signed_at, r.signature, r.outcome, r.problem, r.address::inet,
			r.status, r.headers::jsonb, r.body, r.cut, r.reconnected, r.dns, r.connect, r.tls, r.first, r.duration,
			k.t - make_interval(secs => r.started)
		from done d join r on r.delivery_id = d.id, k`,
		pgx.NamedArgs{
			"ids": ids, "manual": manual, "leases": leases, "nexts": nexts, "started": startedAgo, "ended": endedAgo,
			"urls": urls, "signed": signed, "signatures": signatures, "outcomes": outcomes, "problems": problems, "addresses": addresses,
			"statuses": statuses, "headers": headers, "bodies": bodies, "cuts": cuts, "reconnected": reconnected,
			"dns": dns, "connect": connect, "tls": handshake, "first": first, "durations": durations,
		})
	if err != nil {
		return fmt.Errorf("write %d results: %w", n, err)
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
