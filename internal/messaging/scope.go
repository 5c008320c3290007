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

// Window is how long a recipient counts against the operator's limit.
const Window = 24 * time.Hour

// LimitAge is the greatest age of a read at which the gate trusts its limit.
const LimitAge = 60 * time.Second

// serviceWindow is how long after a user's message the operator does not count messages
// to them. We count them all the same, to be safe, and note the window with each message.
const serviceWindow = 24 * time.Hour

// Scope is what one limit of the operator covers, under its row lock. While a transaction
// holds the lock, no other counts a recipient, admits a message or changes the limit.
type Scope struct {
	ID         uuid.UUID
	Limit      int       // distinct recipients within the window
	Recipients int       // recipients in the ledger, which are those in the window
	alarm      alarm     // the last reported state of the quota
	Now        time.Time // read after the lock

	stored struct { // the row's values
		recipients int
		alarm      alarm
	}
}

// Free returns how many recipients may still be added. It is 0 if the limit is below the
// count.
func (s *Scope) Free() int { return max(s.Limit-s.Recipients, 0) }

// Edge is the start of the window. A recipient counted at this time has left it.
func (s *Scope) Edge() time.Time { return s.Now.Add(-Window) }

// ScopeTx is a transaction under the locks of some scopes. Every change of what counts is
// made in one.
type ScopeTx struct {
	Tx     pgx.Tx
	Scopes map[uuid.UUID]*Scope
	outs   []*webhook.Outbox
}

// waitMode is what to do about a scope that another transaction holds.
type waitMode string

const (
	waitForIt waitMode = ""
	skipIt    waitMode = " skip locked"
)

// ErrBusy reports that another transaction holds the scope.
var ErrBusy = errors.New("the scope is locked")

// InScopes does work under the locks of scopes, commits it, and wakes the engines that
// deliver its events. Every transaction locks scopes in the same order.
func (s *Service) InScopes(ctx context.Context, ids []uuid.UUID, do func(*ScopeTx) error) error {
	return s.inScopes(ctx, ids, waitForIt, do)
}

// TryScope is InScopes for one scope that is not locked. Error: ErrBusy.
func (s *Service) TryScope(ctx context.Context, id uuid.UUID, do func(*ScopeTx) error) error {
	return s.inScopes(ctx, []uuid.UUID{id}, skipIt, do)
}

func (s *Service) inScopes(ctx context.Context, ids []uuid.UUID, mode waitMode, do func(*ScopeTx) error) error {
	var w *ScopeTx
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		w = &ScopeTx{Tx: tx, Scopes: make(map[uuid.UUID]*Scope, len(ids))}
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

func (w *ScopeTx) lock(ctx context.Context, ids []uuid.UUID, mode waitMode) error {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	for _, id := range slices.Compact(ids) {
		if err := w.lockOne(ctx, id, mode); err != nil {
			return err
		}
	}
	return nil
}

func (w *ScopeTx) lockOne(ctx context.Context, id uuid.UUID, mode waitMode) error {
	sc := &Scope{ID: id}
	err := w.Tx.QueryRow(ctx, `
		select tier_limit, recipients, alarm from messaging_scope where id = @id for no key update`+string(mode),
		pgx.NamedArgs{"id": id}).Scan(&sc.Limit, &sc.stored.recipients, &sc.stored.alarm)
	if errors.Is(err, pgx.ErrNoRows) && mode == skipIt {
		return ErrBusy
	}
	if err != nil {
		return fmt.Errorf("lock messaging scope %s: %w", id, err)
	}
	sc.Recipients, sc.alarm = sc.stored.recipients, sc.stored.alarm
	// A separate statement sees what the last holder wrote. PostgreSQL would plan the
	// statements with lists that follow anew each time, which takes longer than most of
	// them, so it is told to keep a generic plan.
	var left int
	err = w.Tx.QueryRow(ctx, `
		with k as materialized (select clock() as t),
		gone as (
			delete from messaging_ledger l using k
			where l.scope_id = @id and l.counted_at <= k.t - @window::interval
			returning 1)
		select k.t, (select count(*) from gone), set_config('plan_cache_mode', 'force_generic_plan', true) from k`,
		pgx.NamedArgs{"id": id, "window": Window}).Scan(&sc.Now, &left, nil)
	if err != nil {
		return fmt.Errorf("clear the ledger of messaging scope %s: %w", id, err)
	}
	sc.Recipients -= left
	w.Scopes[id] = sc
	return nil
}

// Recount updates the ledger's rows of some recipients from the messages to them. A row
// has the latest time as of which a message counts, if it is within the window. asked is
// the time of the requests that are about to be made to the recipients. It is nil if
// there are none.
func (w *ScopeTx) Recount(ctx context.Context, sc *Scope, recipients map[string]struct{}, asked *time.Time) error {
	if len(recipients) == 0 {
		return nil
	}
	var more int
	// Each row is found by its key, however many the ledger has. A join could be planned
	// for an average scope and read all of a large one.
	err := w.Tx.QueryRow(ctx, `
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
			where ctid = any(array(select had from want
				where had is not null and (at is null or at <= @edge::timestamptz))))
		select (select count(*) from want where at > @edge) - (select count(had) from want)`, pgx.NamedArgs{
		"scope": sc.ID, "recipients": slices.Sorted(maps.Keys(recipients)), "asked": asked, "edge": sc.Edge(),
	}).Scan(&more)
	if err != nil {
		return fmt.Errorf("count %d recipients of messaging scope %s: %w", len(recipients), sc.ID, err)
	}
	sc.Recipients += more
	return nil
}

// close writes the scopes' counts and all events.
func (w *ScopeTx) close(ctx context.Context) error {
	for _, sc := range w.Scopes {
		if err := w.emitQuotaAlarm(ctx, sc); err != nil {
			return err
		}
		if sc.Recipients == sc.stored.recipients && sc.alarm == sc.stored.alarm {
			continue
		}
		_, err := w.Tx.Exec(ctx, `update messaging_scope set recipients = @recipients, alarm = @alarm where id = @id`,
			pgx.NamedArgs{"id": sc.ID, "recipients": sc.Recipients, "alarm": sc.alarm})
		if err != nil {
			return fmt.Errorf("update messaging scope %s: %w", sc.ID, err)
		}
	}
	for _, out := range w.outs {
		if err := out.Write(ctx, w.Tx); err != nil {
			return err
		}
	}
	return nil
}

// open returns an outbox that is written and woken with the work.
func (w *ScopeTx) open(ctx context.Context, organizations []uuid.UUID) (*webhook.Outbox, error) {
	out, err := webhook.Open(ctx, w.Tx, organizations...)
	if err != nil {
		return nil, err
	}
	w.outs = append(w.outs, out)
	return out, nil
}
