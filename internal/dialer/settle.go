package dialer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/analysis"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/suppression"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	settleMost = 200 // calls settled in one transaction
	// settleGap is the pause between two batches, so that one update of a campaign's row
	// covers many calls.
	settleGap  = 100 * time.Millisecond
	settlePoll = 5 * time.Second
	settleTime = 30 * time.Second // time limit of a batch that began before the process was stopping

	// settleRest is the delay before a settler retries calls that another process is
	// settling.
	settleRest = 250 * time.Millisecond
)

// Settler settles ended calls: it decides what happens to each recipient next, and
// writes the campaign's counters. Any number of Settlers may run.
type Settler struct {
	pool  *pgxpool.Pool
	calls *call.Service
	hub   *postgres.Hub
	log   *slog.Logger
	busy  map[uuid.UUID]time.Time // the time until which to skip a campaign that another transaction has locked
}

// NewSettler makes a settler. Run starts it.
func NewSettler(o LoopOptions) *Settler {
	return &Settler{
		pool: o.Pool, calls: o.Calls, hub: o.Hub, log: cmp.Or(o.Log, slog.Default()), busy: map[uuid.UUID]time.Time{},
	}
}

// Run settles calls until ctx is canceled. A batch that has begun also finishes.
func (s *Settler) Run(ctx context.Context) error {
	wake, stop := s.hub.Subscribe(call.TopicSettlement)
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-wake:
		}
		rctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
		wait, err := s.round(rctx)
		cancel()
		if err != nil {
			return err
		}
		if !loop.Sleep(ctx, settleGap) {
			return nil
		}
		timer.Reset(wait - settleGap)
	}
}

// round settles at most one batch, and returns the time until the next round.
func (s *Settler) round(ctx context.Context) (time.Duration, error) {
	most, busy := settlePoll, s.leftAlone()
	if len(busy) > 0 {
		most = busyGap
	}
	var until *float64
	err := s.pool.QueryRow(ctx, `
		select extract(epoch from min(settle_after) - (select clock()))::float8
		from call where ended_at is not null and settled_at is null
			and (`+call.SettledWith+` = any($1)) is not true`, busy).
		Scan(&until)
	switch {
	case err != nil:
		return 0, fmt.Errorf("find calls to settle: %w", err)
	case until == nil:
		return most, nil
	case *until > 0:
		return min(most, time.Duration(*until*float64(time.Second))), nil
	}
	n, err := s.batch(ctx)
	if locked, ok := errors.AsType[*lockedError](err); ok {
		s.busy[locked.campaign] = time.Now().Add(busyGap)
		return 0, nil // settle the other campaigns at once
	}
	if lockTimedOut(err) { // another settler, or the end of a call, holds a row that the batch changes
		return settleRest, nil
	}
	if err == nil && n == 0 {
		return settleRest, nil
	}
	return 0, err
}

// leftAlone returns the campaigns whose calls are not settled now.
func (s *Settler) leftAlone() []uuid.UUID {
	maps.DeleteFunc(s.busy, func(_ uuid.UUID, until time.Time) bool { return !time.Now().Before(until) })
	return slices.Collect(maps.Keys(s.busy))
}

// lockedError means that another transaction has locked a campaign's row. No call of the batch was
// settled.
type lockedError struct{ campaign uuid.UUID }

func (e *lockedError) Error() string {
	return fmt.Sprintf("campaign %s is locked by somebody else", e.campaign)
}

// batch settles calls in one transaction, and returns their number.
func (s *Settler) batch(ctx context.Context) (n int, err error) {
	var st *settlement
	var out *webhook.Outbox
	var ended []call.Ended
	var pools []uuid.UUID // may call again
	var analyzing bool    // a model analyzes some of the calls
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		ended, err = s.calls.Unsettled(ctx, tx, settleMost, s.leftAlone()...)
		if err != nil || len(ended) == 0 {
			return err
		}
		if st, err = openSettlement(ctx, tx, ended); err != nil {
			return err
		}
		if ended, err = st.wait(ctx, ended); err != nil || len(ended) == 0 {
			return err
		}
		n = len(ended)
		if err := st.resume(ctx, ended); err != nil {
			return err
		}
		for _, e := range ended {
			st.apply(e)
		}
		if err := st.write(ctx); err != nil {
			return err
		}
		if out, err = webhook.Open(ctx, tx, organizations(ended)...); err != nil {
			return err
		}
		if err := st.planMessages(ctx, out); err != nil {
			return err
		}
		if analyzing, err = analysis.Queue(ctx, tx, ended); err != nil {
			return err
		}
		// Events are written in this order: the call, its recipient, its follow-ups, and the
		// campaign if it completes.
		if err := s.calls.MarkSettled(ctx, tx, ended, out); err != nil {
			return err
		}
		if err := st.emit(ctx, out); err != nil {
			return err
		}
		if err := st.openFollowUps(ctx, out, ended); err != nil {
			return err
		}
		if err := st.complete(ctx); err != nil {
			return err
		}
		if err := s.calls.Tally(ctx, tx, ended); err != nil {
			return err
		}
		pools, err = uncount(ctx, tx, unplaced(ended))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("settle calls: %w", err)
	}
	if n == 0 {
		return 0, nil
	}
	for _, e := range ended {
		settlements.WithLabelValues(string(e.Outcome)).Inc()
	}
	if st != nil {
		if numbers := st.pooled(ended); len(numbers) > 0 {
			if err := s.restNumbers(ctx, numbers); err != nil {
				s.log.Warn("the rest rules of number pools were not applied; the next call applies them", "error", err)
			}
		}
		if len(pools) > 0 {
			if err := callAgain(ctx, s.pool, pools); err != nil {
				s.log.Warn("campaigns wait for the next day of a number pool", "error", err)
			}
		}
		if st.waits || len(pools) > 0 {
			s.hub.Wake(campaign.Topic)
		}
		if analyzing {
			s.hub.Wake(analysis.Topic)
		}
		if len(st.followed) > 0 {
			s.hub.Wake(messaging.Topic)
		}
		if len(st.listings) > 0 {
			s.hub.Wake(suppression.Topic)
		}
		if st.changed {
			s.hub.Wake(webhook.Topic)
		}
		out.Wake(s.hub)
	}
	return n, nil
}

func organizations(ended []call.Ended) []uuid.UUID {
	var ids []uuid.UUID
	for _, e := range ended {
		if !slices.Contains(ids, e.OrganizationID) {
			ids = append(ids, e.OrganizationID)
		}
	}
	return ids
}
