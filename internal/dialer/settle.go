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

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/loop"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

const (
	settleMost = 200 // calls settled in one transaction
	// between two, so that a campaign's row is locked and written once for many calls
	settleGap  = 100 * time.Millisecond
	settlePoll = 5 * time.Second
	settleTime = 30 * time.Second // how long a batch may take that was begun before its process was told to stop

	// settleRest is how long calls are left alone that another process is
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
	busy  map[uuid.UUID]time.Time // campaigns left alone until then: somebody holds their row
}

// NewSettler makes a settler that is not running yet.
func NewSettler(o LoopOptions) *Settler {
	return &Settler{
		pool: o.Pool, calls: o.Calls, hub: o.Hub, log: cmp.Or(o.Log, slog.Default()), busy: map[uuid.UUID]time.Time{},
	}
}

// Run settles until ctx is over. A batch that was begun is finished.
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

// round settles what can be settled, at most one batch, and tells how long
// there is nothing more to do.
func (s *Settler) round(ctx context.Context) (time.Duration, error) {
	most, busy := settlePoll, s.leftAlone()
	if len(busy) > 0 {
		most = busyGap
	}
	var until *float64
	err := s.pool.QueryRow(ctx, `
		select extract(epoch from min(settle_after) - (select clock()))::float8
		from call where ended_at is not null and settled_at is null and (campaign_id = any($1)) is not true`, busy).
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
		return 0, nil // the others, at once
	}
	if err == nil && n == 0 {
		return settleRest, nil
	}
	return 0, err
}

// leftAlone are the campaigns whose calls are not to be settled now.
func (s *Settler) leftAlone() []uuid.UUID {
	maps.DeleteFunc(s.busy, func(_ uuid.UUID, until time.Time) bool { return !time.Now().Before(until) })
	return slices.Collect(maps.Keys(s.busy))
}

// lockedError says that somebody holds a campaign's row for long. Nothing of the
// batch was settled.
type lockedError struct{ campaign uuid.UUID }

func (e *lockedError) Error() string {
	return fmt.Sprintf("campaign %s is locked by somebody else", e.campaign)
}

// batch settles calls in one transaction, and tells how many.
func (s *Settler) batch(ctx context.Context) (n int, err error) {
	var st *settlement
	var out *webhook.Outbox
	var ended []call.Ended
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) (err error) {
		ended, err = s.calls.Unsettled(ctx, tx, settleMost, s.leftAlone()...)
		if err != nil || len(ended) == 0 {
			return err
		}
		n = len(ended)
		if st, err = openSettlement(ctx, tx, ended); err != nil {
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
		if err := st.followUp(ctx, out); err != nil {
			return err
		}
		// In the order of what they tell: a call, whom it was made to, and the
		// campaign that has nobody left.
		if err := s.calls.MarkSettled(ctx, tx, ended, out); err != nil {
			return err
		}
		if err := st.emit(ctx, out); err != nil {
			return err
		}
		return st.complete(ctx)
	})
	if err != nil {
		return 0, fmt.Errorf("settle calls: %w", err)
	}
	for _, e := range ended {
		settlements.WithLabelValues(string(e.Outcome)).Inc()
	}
	if st != nil {
		if st.waits {
			s.hub.Wake(campaign.Topic)
		}
		if len(st.followed) > 0 {
			s.hub.Wake(messaging.Topic)
		}
		if st.ended {
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
