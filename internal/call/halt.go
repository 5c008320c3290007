package call

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/carrier"
)

const (
	haltWorkers = 8                // calls that carriers are asked to end side by side
	haltTime    = 10 * time.Second // and how long; the reconciler ends the others
)

// Halted are calls that are to be ended.
type Halted []halted

type halted struct {
	ID            uuid.UUID
	ConnectionID  uuid.UUID
	CarrierCallID string
	FromNumber    string
	ToNumber      string
	Asked         bool
}

// Up is how many of them the carrier has, or may have.
func (h Halted) Up() int {
	n := 0
	for _, c := range h {
		if c.Asked {
			n++
		}
	}
	return n
}

// Halt writes down, in the caller's transaction, that the calls of an organization
// which were claimed and not asked for yet never are asked for and, where all is
// set, that those which are up are to be ended. The caller holds the organization's
// row lock, so no claim is made meanwhile. One that is being asked for just now is
// waited for. After the commit, give what it returns to HangUp.
func (s *Service) Halt(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, all bool) (Halted, error) {
	// Of a whole organization, live calls are few and an index has them: by
	// ended_at, and not by the state, which would read every call it ever made.
	rows, err := tx.Query(ctx, `
		update call c set
			hang_up_at = coalesce(c.hang_up_at, k.t),
			ended_by = case when c.asked_at is not null and c.ended_reason is null then 'system' else c.ended_by end,
			ended_reason = case when c.asked_at is not null then coalesce(c.ended_reason, 'ended_by_user') else c.ended_reason end
		from (select clock() as t) k
		where c.organization_id = $1 and c.ended_at is null and (c.asked_at is null or $2)
		returning c.id, c.connection_id, coalesce(c.carrier_call_id, '') as carrier_call_id, c.from_number, c.to_number,
		          c.asked_at is not null as asked`, organizationID, all)
	if err != nil {
		return nil, fmt.Errorf("stop the calls of an organization: %w", err)
	}
	calls, err := pgx.CollectRows(rows, pgx.RowToStructByName[halted])
	if err != nil {
		return nil, fmt.Errorf("stop the calls of an organization: %w", err)
	}
	return calls, nil
}

// HangUp has halted calls ended: whoever holds a line is told, and carriers are
// asked, several at a time, for a few seconds at most. What is left over, because
// it takes longer or this process dies, the reconciler ends.
func (s *Service) HangUp(ctx context.Context, calls Halted) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), haltTime)
	defer cancel()
	var failed sync.Map // connections that did not answer
	var group errgroup.Group
	group.SetLimit(haltWorkers)
	for _, c := range calls {
		if !c.Asked {
			continue // whoever claimed it closes it instead of placing it
		}
		s.wake(LineTopic(c.ID))
		if c.CarrierCallID == "" {
			continue // being placed: whoever places it sees that it is to be ended
		}
		group.Go(func() error {
			if _, ok := failed.Load(c.ConnectionID); ok || ctx.Err() != nil {
				return nil
			}
			ref := carrier.Ref{CallID: c.ID, CarrierCallID: c.CarrierCallID, From: c.FromNumber, To: c.ToNumber}
			if err := s.hangUp(ctx, c.ConnectionID, ref); err != nil && ctx.Err() == nil {
				failed.Store(c.ConnectionID, true)
				s.log.WarnContext(ctx, "hanging up calls failed and will be retried", "connection", c.ConnectionID, "error", err)
			}
			return nil
		})
	}
	_ = group.Wait() // it reports its errors itself
}

// Up is how many calls of an organization are being placed, ring or are talked.
func (s *Service) Up(ctx context.Context, organizationID uuid.UUID) (int, error) {
	var n int
	err := s.pool.QueryRow(ctx, `
		select count(*) from call c
		where c.organization_id = $1 and c.ended_at is null and c.asked_at is not null`, organizationID).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count the calls of an organization: %w", err)
	}
	return n, nil
}
