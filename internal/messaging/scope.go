package messaging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// window is how long a recipient counts against the operator's limit.
const window = 24 * time.Hour

// serviceWindow is how long after a user's message the operator does not count
// what is sent to them. We count it all the same, which is the safe side, and
// note it with each message.
const serviceWindow = 24 * time.Hour

// scope is what one limit of the operator covers, under its row lock: while it
// is held nobody else counts a recipient, admits a message or changes the limit.
type scope struct {
	id         uuid.UUID
	limit      int       // distinct recipients within the window
	recipients int       // in the ledger, and so in the window
	alarm      alarm     // what was told since there was room
	now        time.Time // read after the lock

	stored struct { // as its row has it
		recipients int
		alarm      alarm
	}
}

// free is how many recipients may still be added. A limit that was lowered below
// what is counted leaves none.
func (s *scope) free() int { return max(s.limit-s.recipients, 0) }

// edge is when the window began: what was counted then has just left it.
func (s *scope) edge() time.Time { return s.now.Add(-window) }

// scopeTx is a transaction under the locks of some scopes. Every change of what
// counts is made in one.
type scopeTx struct {
	tx     pgx.Tx
	scopes map[uuid.UUID]*scope
	outs   []*webhook.Outbox
}

// waitMode says what to do about a scope that somebody else holds.
type waitMode string

const (
	waitForIt waitMode = ""
	skipIt    waitMode = " skip locked"
)

// errBusy is an end without an error: another process is at this scope.
var errBusy = errors.New("the scope is locked")

// inScopes does work under the locks of scopes, which are taken in one order
// everywhere, then commits it and wakes who is to deliver its events. Error with
// skipIt: errBusy.
func (s *Service) inScopes(ctx context.Context, ids []uuid.UUID, mode waitMode, do func(*scopeTx) error) error {
	var w *scopeTx
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		w = &scopeTx{tx: tx, scopes: make(map[uuid.UUID]*scope, len(ids))}
		if err := w.lock(ctx, ids, mode); err != nil {
			return err
		}
		if err := do(w); err != nil {
			return err
		}
		return w.close(ctx)
	})
	if err != nil {
		return err
	}
	for _, out := range w.outs {
		out.Wake(s.hub)
	}
	return nil
}

func (w *scopeTx) lock(ctx context.Context, ids []uuid.UUID, mode waitMode) error {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for _, id := range slices.Compact(ids) {
		if err := w.lockOne(ctx, id, mode); err != nil {
			return err
		}
	}
	return nil
}

func (w *scopeTx) lockOne(ctx context.Context, id uuid.UUID, mode waitMode) error {
	sc := &scope{id: id}
	err := w.tx.QueryRow(ctx, `
		select tier_limit, recipients, alarm from messaging_scope where id = @id for no key update`+string(mode),
		pgx.NamedArgs{"id": id}).Scan(&sc.limit, &sc.stored.recipients, &sc.stored.alarm)
	if errors.Is(err, pgx.ErrNoRows) && mode == skipIt {
		return errBusy
	}
	if err != nil {
		return fmt.Errorf("lock messaging scope %s: %w", id, err)
	}
	sc.recipients, sc.alarm = sc.stored.recipients, sc.stored.alarm
	// A statement of its own, so that it sees what the last holder has written.
	// Those that follow are about lists, which PostgreSQL would plan anew each
	// time, and that takes longer than to carry most of them out.
	var left int
	err = w.tx.QueryRow(ctx, `
		with k as materialized (select clock() as t),
		gone as (
			delete from messaging_ledger l using k
			where l.scope_id = @id and l.counted_at <= k.t - @window::interval
			returning 1)
		select k.t, (select count(*) from gone), set_config('plan_cache_mode', 'force_generic_plan', true) from k`,
		pgx.NamedArgs{"id": id, "window": window}).Scan(&sc.now, &left, nil)
	if err != nil {
		return fmt.Errorf("clear the ledger of messaging scope %s: %w", id, err)
	}
	sc.recipients -= left
	w.scopes[id] = sc
	return nil
}

// recount brings the ledger's rows of some recipients in line with the messages
// to them: the latest that counts, if it is within the window. asked is the time
// of the requests that are about to be made to them, nil if there are none.
func (w *scopeTx) recount(ctx context.Context, sc *scope, recipients map[string]struct{}, asked *time.Time) error {
	if len(recipients) == 0 {
		return nil
	}
	var more int
	// Each row is looked up by its key, however many the ledger has: a join could
	// be planned for an average scope, and read all of a large one.
	err := w.tx.QueryRow(ctx, `
		with want as materialized (
			select r.phone_number, (
				select max(m.counted_at) from message m
				where m.scope_id = @scope and m.phone_number = r.phone_number and m.counted_at is not null) as at, (
				select l.ctid from messaging_ledger l
				where l.scope_id = @scope and l.phone_number = r.phone_number) as had
			from unnest(@recipients::text[]) r (phone_number)),
		put as (
			insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at)
			select @scope, phone_number, at, coalesce(@asked::timestamptz, at) from want where at > @edge::timestamptz
			on conflict (scope_id, phone_number) do update
			set counted_at = excluded.counted_at, asked_at = coalesce(@asked::timestamptz, messaging_ledger.asked_at)),
		gone as (
			delete from messaging_ledger
			where ctid = any(array(select had from want where had is not null and (at is null or at <= @edge::timestamptz))))
		select (select count(*) from want where at > @edge) - (select count(had) from want)`, pgx.NamedArgs{
		"scope": sc.id, "recipients": slices.Sorted(maps.Keys(recipients)), "asked": asked, "edge": sc.edge(),
	}).Scan(&more)
	if err != nil {
		return fmt.Errorf("count %d recipients of messaging scope %s: %w", len(recipients), sc.id, err)
	}
	sc.recipients += more
	return nil
}

// close writes down what the scopes have come to, and all that is to be told.
func (w *scopeTx) close(ctx context.Context) error {
	for _, sc := range w.scopes {
		if err := w.emitQuotaAlarm(ctx, sc); err != nil {
			return err
		}
		if sc.recipients == sc.stored.recipients && sc.alarm == sc.stored.alarm {
			continue
		}
		_, err := w.tx.Exec(ctx, `update messaging_scope set recipients = @recipients, alarm = @alarm where id = @id`,
			pgx.NamedArgs{"id": sc.id, "recipients": sc.recipients, "alarm": sc.alarm})
		if err != nil {
			return fmt.Errorf("update messaging scope %s: %w", sc.id, err)
		}
	}
	for _, out := range w.outs {
		if err := out.Write(ctx, w.tx); err != nil {
			return err
		}
	}
	return nil
}

// open makes an outbox that is written and woken with the work.
func (w *scopeTx) open(ctx context.Context, organizations []uuid.UUID) (*webhook.Outbox, error) {
	out, err := webhook.Open(ctx, w.tx, organizations...)
	if err != nil {
		return nil, err
	}
	w.outs = append(w.outs, out)
	return out, nil
}
