package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	// lease is how long a row belongs to the process that took it. It covers the wait
	// for the start, the attempt, and recording the result.
	lease = 30 * time.Second

	maxWalk    = 256      // webhooks per claim
	maxHold    = 1000     // rows held, released or dropped by one statement
	maxPromote = 1000     // rows made ready by one statement
	takeAhead  = 16 << 10 // bytes; larger payloads are read right before the attempt
)

// claim takes rows for endpoints with ready rows and free capacity. It visits at most
// maxWalk webhooks, starting after the last webhook of the previous claim. again is true
// if another claim may find more at once.
func (s *run) claim(ctx context.Context) (again bool, err error) {
	began := s.cursor
	found, last, err := s.walk(ctx, began)
	if err != nil {
		return false, err
	}
	var t takeRequest
	var cut bool
	granted, left := 0, s.dispatcher.capacity()
	s.cursor, again = last, last != uuid.Nil
	if began != uuid.Nil && last == uuid.Nil && !s.wrapped {
		s.wrapped, again = true, true // visit the webhooks before began, once
	}
	for i, w := range found {
		if w.deleted {
			if err := s.drop(ctx, w.to.webhookID); err != nil {
				return false, err
			}
			again = true
			continue
		}
		if !w.active {
			held, err := s.hold(ctx, w.to.webhookID)
			if err != nil {
				return false, err
			}
			if held == maxHold {
				again = true
				continue // resends wait until all these rows are held
			}
		}
		if left <= 0 {
			// The next claim continues here, when there is capacity.
			s.cursor, again = began, false
			if i > 0 {
				s.cursor = found[i-1].to.webhookID
			}
			s.dispatcher.capacityFor(w.to, 0)
			cut = true
			break
		}
		if room := s.dispatcher.capacityFor(w.to, left); room > 0 {
			t.add(w.to.webhookID, room, !w.active)
			left -= room
			granted += room
		}
	}
	if len(t.webhooks) == 0 {
		return again, nil
	}
	rows, missing, err := s.take(ctx, t)
	if err != nil {
		return false, err
	}
	s.dispatcher.enqueue(t, rows)
	again = again || cut && len(rows) < granted // the claim found fewer rows than it reserved capacity for
	if len(missing) > 0 {
		_, err := s.pool.Exec(ctx, `
			with gone as (delete from delivery_due where delivery_id = any($1))
			update delivery set status = 'failed', next_attempt_at = null, error = 'The event is not stored any more'
			where id = any($1) and status = 'pending'`, missing)
		if err != nil {
			return false, fmt.Errorf("drop deliveries without an event: %w", err)
		}
	}
	return again, nil
}

// found is a webhook with ready rows.
type found struct {
	to              *target
	active, deleted bool
}

// walk finds webhooks with ready rows, in the order of their ids, after one id. It jumps
// from webhook to webhook in the index and skips the rows between, so its cost is that
// of the webhooks found. last is the last webhook it visited, zero if there are no more
// behind it.
func (s *run) walk(ctx context.Context, after uuid.UUID) (all []found, last uuid.UUID, err error) {
	rows, err := s.pool.Query(ctx, `
		with recursive walk as (
			(select webhook_id from delivery_due where state = 'ready' and webhook_id > @after
				order by webhook_id limit 1)
			union all
			select n.webhook_id
			from walk w cross join lateral (
				select q.webhook_id from delivery_due q
				where q.state = 'ready' and q.webhook_id > w.webhook_id
				order by q.webhook_id limit 1
			) n
		)
		-- The rest of an organization that leaves for another database is not for nobody.
		select w.webhook_id,
			h.deleted_at is not null or h.id is null and not exists (select from organization_move),
			coalesce(h.is_active, false), h.organization_id,
			coalesce(h.url, ''), h.secret,
		       case when h.previous_secret_until > clock() then h.previous_secret end, h.headers
		from (select webhook_id from walk limit @most) w left join webhook h on h.id = w.webhook_id`,
		pgx.NamedArgs{"after": after, "most": maxWalk})
	if err != nil {
		return nil, last, fmt.Errorf("find webhooks with something to deliver: %w", err)
	}
	var read []found
	var id uuid.UUID
	var organizationID *uuid.UUID
	var deleted, active bool
	var url string
	var secret, previous, headers []byte
	_, err = pgx.ForEachRow(rows, []any{
		&id, &deleted, &active, &organizationID, &url, &secret, &previous, &headers,
	}, func() error {
		to := &target{webhookID: id, url: url, sealed: secret, previous: previous, sealedHeaders: headers}
		if organizationID != nil {
			to.organizationID = *organizationID
		}
		read = append(read, found{to: to, active: active, deleted: deleted})
		return nil
	})
	if err != nil {
		return nil, last, fmt.Errorf("find webhooks with something to deliver: %w", err)
	}
	if len(read) == maxWalk {
		last = id
	}
	for _, f := range read {
		gone := f.to.organizationID == uuid.Nil // another database takes its rows
		if f.deleted || !gone && s.open(f.to) {
			all = append(all, f)
		}
	}
	return all, last, nil
}

// open decrypts a target's secrets and headers, unless they are the same as at the last read. It is
// false for a webhook with unreadable secrets: without the master key nothing can be
// signed for it.
func (s *run) open(to *target) bool {
	if known := s.dispatcher.target(to.webhookID); known != nil && bytes.Equal(known.sealed, to.sealed) &&
		bytes.Equal(known.previous, to.previous) && bytes.Equal(known.sealedHeaders, to.sealedHeaders) {
		to.secrets, to.headers = known.secrets, known.headers
		return true
	}
	secrets, err := openSecrets(s.vault, to.organizationID, to.webhookID, to.sealed, to.previous)
	if err == nil {
		to.headers, err = openHeaders(s.vault, to.organizationID, to.webhookID, to.sealedHeaders)
	}
	if err != nil {
		if _, known := s.unsigned[to.webhookID]; !known {
			s.unsigned[to.webhookID] = struct{}{}
			s.log.Error("a webhook gets no deliveries: its secrets do not open", "webhook_id", to.webhookID, "error",
				err)
		}
		return false
	}
	delete(s.unsigned, to.webhookID)
	to.secrets = secrets
	return true
}

// takeRequest says how many rows to take from which webhooks, as columns.
type takeRequest struct {
	webhooks []uuid.UUID
	limits   []int32
	manual   []bool // only resends and tests
}

func (t *takeRequest) add(webhookID uuid.UUID, room int, manual bool) {
	t.webhooks = append(t.webhooks, webhookID)
	t.limits = append(t.limits, int32(room))
	t.manual = append(t.manual, manual)
}

// take leases rows and reads what is needed to send them, in the order they became due.
// missing are rows whose delivery or event is gone.
func (s *run) take(ctx context.Context, t takeRequest) (taken []row, missing []uuid.UUID, err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("take deliveries: %w", err)
	}
	defer conn.Release()
	// The lease starts with the statement, not with the wait for a connection: after a
	// long wait every row would be too old to start.
	mine, now := rand.Int64(), time.Now()
	rows, err := conn.Query(ctx, `
		with picked as materialized (
			select q.delivery_id, q.manual, q.due_at
			from unnest(@webhooks::uuid[], @rooms::int[], @manual::bool[]) t(webhook_id, room, manual)
			cross join lateral (
				select d.delivery_id, d.manual, d.due_at from delivery_due d
				where d.state = 'ready' and d.webhook_id = t.webhook_id and (d.manual or not t.manual)
				order by d.due_at limit t.room
				for no key update skip locked
			) q
		), taken as (
			update delivery_due q
				set state = 'leased', due_at = k.t + make_interval(secs => @lasts), lease = @lease, lost = q.lost + 1
			from picked p, (select clock() as t) k
			where q.delivery_id = p.delivery_id and q.manual = p.manual
			returning q.delivery_id, q.manual, q.webhook_id, q.step, q.lost, p.due_at
		)
		select t.delivery_id, t.manual, t.webhook_id, t.step, t.lost, t.due_at, e.id, coalesce(e.is_test
			or e.type = 'webhook.test', false),
		       coalesce(octet_length(e.payload), 0), case when octet_length(e.payload) <= @ahead then e.payload end
		from taken t
		left join delivery d on d.id = t.delivery_id
		left join event e on e.id = d.event_id
		order by t.due_at, t.delivery_id`,
		pgx.NamedArgs{
			"webhooks": t.webhooks, "rooms": t.limits, "manual": t.manual, "lasts": lease.Seconds(), "lease": mine,
			"ahead": takeAhead,
		})
	if err != nil {
		return nil, nil, fmt.Errorf("take deliveries: %w", err)
	}
	r := row{lease: mine, taken: now}
	var eventID *uuid.UUID
	var payload *string
	_, err = pgx.ForEachRow(rows, []any{
		&r.deliveryID, &r.manual, &r.webhookID, &r.step, &r.lost, &r.dueAt, &eventID, &r.test, &r.size, &payload,
	}, func() error {
		if eventID == nil {
			missing = append(missing, r.deliveryID)
			return nil
		}
		r.eventID, r.payload = *eventID, nil
		if payload != nil {
			r.payload = []byte(*payload)
		}
		taken = append(taken, r)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("take deliveries: %w", err)
	}
	return taken, missing, nil
}

// takenTable passes leased queue rows to SQL as table r.
var takenTable = postgres.NewColumns("r",
	postgres.Column("delivery_id", "uuid", func(r *row) uuid.UUID { return r.deliveryID }),
	postgres.Column("manual", "bool", func(r *row) bool { return r.manual }),
	postgres.Column("lease", "bigint", func(r *row) int64 { return r.lease }),
	postgres.Column("due_at", "timestamptz", func(r *row) time.Time { return r.dueAt }),
)

// giveBack makes rows ready again that were taken and not started.
func (s *run) giveBack(ctx context.Context, rows []row) error {
	_, err := s.pool.Exec(ctx, `
		update delivery_due q set state = 'ready', due_at = r.due_at, lease = null, lost = q.lost - 1
		from `+takenTable.Table()+`
		where q.delivery_id = r.delivery_id and q.manual = r.manual and q.lease = r.lease`, takenTable.Args(rows))
	if err != nil {
		return fmt.Errorf("give %d deliveries back: %w", len(rows), err)
	}
	return nil
}

// promote makes waiting rows ready when they are due, and leased rows when their lease is
// over. It returns their number or, without any, the time until the next row is due, at
// most promotePoll.
func (s *run) promote(ctx context.Context) (n int64, next time.Duration, err error) {
	tag, err := s.pool.Exec(ctx, `
		with due as materialized (
			select delivery_id, manual from delivery_due
			where state in ('waiting', 'leased') and due_at <= (select clock())
			order by due_at limit @most
			for no key update skip locked
		)
		update delivery_due q set state = 'ready', lease = null
		from due where q.delivery_id = due.delivery_id and q.manual = due.manual`, pgx.NamedArgs{"most": maxPromote})
	if err != nil {
		return 0, 0, fmt.Errorf("make deliveries ready: %w", err)
	}
	n = tag.RowsAffected()
	if n > 0 {
		return n, 0, nil
	}
	var seconds *float64
	err = s.pool.QueryRow(ctx, `
		select extract(epoch from min(due_at) - (select clock()))::float8 from delivery_due
			where state in ('waiting', 'leased')`).Scan(&seconds)
	if err != nil {
		return 0, 0, fmt.Errorf("find out what is due next: %w", err)
	}
	if seconds == nil {
		return 0, promotePoll, nil
	}
	return 0, time.Duration(min(*seconds, promotePoll.Seconds()) * float64(time.Second)), nil
}

// hold sets the ready rows of an inactive webhook aside, so that claims do not find them
// again and again. It locks the webhook's row, so that nobody activates the webhook
// meanwhile and leaves rows behind. It does nothing while another transaction has the
// lock.
func (s *run) hold(ctx context.Context, webhookID uuid.UUID) (n int64, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var inactive bool
		err := tx.QueryRow(ctx, `select not is_active from webhook where id = $1 for no key update skip locked`,
			webhookID).Scan(&inactive)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && !inactive {
			return nil
		}
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			with part as materialized (
				select delivery_id from delivery_due
				where state = 'ready' and webhook_id = $1 and not manual
				order by due_at limit $2
				for no key update skip locked
			)
			update delivery_due q set state = 'held' from part where q.delivery_id = part.delivery_id and not q.manual`,
			webhookID, maxHold)
		if n = tag.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `update webhook set is_holding = true where id = $1 and not is_holding`, webhookID)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("hold deliveries to %s: %w", webhookID, err)
	}
	return n, nil
}

// release makes up to maxHold held rows of one active webhook ready. It returns 0 only if
// it finds no webhook to release.
func (s *run) release(ctx context.Context) (n int64, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			select id from webhook where is_holding and is_active order by id limit 1 for no key update skip locked`)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil || len(ids) == 0 {
			return err
		}
		tag, err := tx.Exec(ctx, `
			with part as materialized (
				select delivery_id, manual from delivery_due
					where state = 'held' and webhook_id = $1 limit $2 for no key update
			)
			update delivery_due q set state = 'ready' from part
				where q.delivery_id = part.delivery_id and q.manual = part.manual`, ids[0], maxHold)
		if n = tag.RowsAffected(); err != nil || n == maxHold {
			return err
		}
		_, err = tx.Exec(ctx, `update webhook set is_holding = false where id = $1`, ids[0])
		n = max(n, 1) // there may be another webhook
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("release what was held: %w", err)
	}
	return n, nil
}

// drop deletes up to maxHold ready rows of a deleted webhook from the queue.
func (s *run) drop(ctx context.Context, webhookID uuid.UUID) error {
	_, err := s.pool.Exec(ctx, `
		delete from delivery_due where (delivery_id, manual) in (
			select delivery_id, manual from delivery_due
				where state = 'ready' and webhook_id = $1 limit $2 for update skip locked)`,
		webhookID, maxHold)
	if err != nil {
		return fmt.Errorf("drop deliveries to %s: %w", webhookID, err)
	}
	return nil
}
