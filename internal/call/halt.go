package call

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	haltWorkers = 8                // how many hang-up requests run at the same time
	haltTime    = 10 * time.Second // time limit of HangUp; the reconciler ends the other calls
)

// Halted lists calls that must end.
type Halted []halted

type halted struct {
	ID            uuid.UUID
	ConnectionID  uuid.UUID
	CarrierCallID string
	OwnNumber     string
	PersonNumber  string
	Asked         bool
}

// Up returns how many of these calls the carrier has or may have.
func (h Halted) Up() int {
	n := 0
	for _, c := range h {
		if c.Asked {
			n++
		}
	}
	return n
}

// Halt marks the claimed calls of an organization that were not requested from the carrier, so that
// they are never requested. With all set, it also marks the live calls, which HangUp then ends. The
// caller's transaction must have the row lock of the organization, which prevents new claims. Halt
// waits for a call that is being requested. The transcript of an answered call says that the actor ended it. After the
// commit, pass the result to HangUp.
func (s *Service) Halt(ctx context.Context, tx pgx.Tx, actor account.Actor, all bool) (Halted, error) {
	// The index of live calls serves "ended_at is null". A condition on the status would
	// read every call that the organization ever made.
	calls, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[halted], `
		update call c set
			hang_up_at = coalesce(c.hang_up_at, k.t),
			hang_up_by = case when c.hang_up_at is null then $3 else c.hang_up_by end,
			ended_by = case when c.asked_at is not null and c.ended_reason is null then 'system' else c.ended_by end,
			ended_reason = case when c.asked_at is not null then coalesce(c.ended_reason,
				'ended_by_user') else c.ended_reason end
		from (select clock() as t) k
		where c.organization_id = $1 and c.ended_at is null and (c.asked_at is null or $2)
		returning c.id, c.connection_id, coalesce(c.carrier_call_id, '') as carrier_call_id, c.own_number,
		          c.person_number, c.asked_at is not null as asked`, actor.OrganizationID, all, actor.Name)
	if err != nil {
		return nil, fmt.Errorf("stop the calls of an organization: %w", err)
	}
	return calls, nil
}

// HangUp ends halted calls: it wakes the holders of their lines and sends hang-up requests to their
// carriers, several at a time, for haltTime at most. The reconciler ends the remaining calls, even
// if this process dies.
func (s *Service) HangUp(ctx context.Context, calls Halted) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), haltTime)
	defer cancel()
	var failed sync.Map // connections that did not answer
	var group errgroup.Group
	group.SetLimit(haltWorkers)
	for _, c := range calls {
		if !c.Asked {
			continue // Place closes this call instead of placing it
		}
		s.wake(LineTopic(c.ID))
		if c.CarrierCallID == "" {
			continue // being placed: Place sees that the call must end
		}
		group.Go(func() error {
			if _, ok := failed.Load(c.ConnectionID); ok || ctx.Err() != nil {
				return nil
			}
			ref := carrier.Ref{CallID: c.ID, CarrierCallID: c.CarrierCallID, From: c.OwnNumber, To: c.PersonNumber}
			if err := s.hangUp(ctx, c.ConnectionID, ref); err != nil && ctx.Err() == nil {
				failed.Store(c.ConnectionID, true)
				s.log.WarnContext(ctx, "hanging up calls failed and will be retried", "connection", c.ConnectionID,
					"error", err)
			}
			return nil
		})
	}
	_ = group.Wait() // the functions log their errors
}

// Up returns how many calls of an organization are being placed, ringing or in progress.
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
