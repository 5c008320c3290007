package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// CancelCall cancels a call that is scheduled: it is never placed. Errors: NotFound, and Conflict for a call that is
// being placed, is in progress or has ended.
func (s *Service) CancelCall(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	err := s.unlessOvertaken(ctx, func(tx pgx.Tx) error {
		found, err := lockScheduled(ctx, tx, actor.OrganizationID, []uuid.UUID{id})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return notScheduled(ctx, tx, actor.OrganizationID, id, "Hang it up instead")
		}
		how := ClosedBy(call.ReasonCanceledByUser, "")
		how.By = actor.Name
		if err := CloseCalls(ctx, tx, []uuid.UUID{found[0].ID}, how); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "call.canceled", account.Object{Type: "call", ID: id}, nil)
	})
	if err != nil {
		return err
	}
	s.wakeCanceled()
	return nil
}

// wakeCanceled wakes what continues after the cancellation of calls, after the commit.
func (s *Service) wakeCanceled() {
	s.Wake()
	s.hub.Wake(call.TopicSettlement)
}

// notScheduled says why a call is not scheduled. advice follows if the call has begun.
func notScheduled(ctx context.Context, db postgres.DB, organizationID, id uuid.UUID, advice string) error {
	var ended bool
	err := db.QueryRow(ctx, `select ended_at is not null from call where organization_id = $1 and id = $2`,
		organizationID, id).Scan(&ended)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return fault.NotFoundf("Call")
	case err != nil:
		return fmt.Errorf("read call %s: %w", id, err)
	case ended:
		return fault.Conflictf("The call has already ended")
	}
	return fault.Conflictf("The call is already being placed or in progress. %s", advice)
}

// ClosedCall is how the scheduled calls of recipients end, and the recipients' last status.
type ClosedCall struct {
	Status     RecipientStatus
	SkipReason string
	call.Unclaimed
}

// ClosedBy is how a scheduled call ends for each reason that the dialer finds.
func ClosedBy(reason call.Reason, detail string) ClosedCall {
	c := ClosedCall{Status: RecipientCanceled, Unclaimed: call.Unclaimed{
		Outcome: call.OutcomeCanceled, Reason: reason, Detail: detail,
	}}
	switch reason {
	case call.ReasonDoNotCall:
		c.Status, c.SkipReason = RecipientSkipped, SkipDoNotCall
	case call.ReasonNoConsent:
		c.Status, c.SkipReason = RecipientSkipped, SkipNoConsent
	case call.ReasonExpired:
		c.Status = RecipientExpired
	case call.ReasonRemoved:
		c.Outcome = call.OutcomeFailed
	}
	return c
}

// CloseCalls ends the scheduled calls of pending recipients. The caller holds the row lock of their standing campaign,
// and wakes call.TopicSettlement after the commit.
func CloseCalls(ctx context.Context, tx pgx.Tx, recipients []uuid.UUID, how ClosedCall) error {
	if len(recipients) == 0 {
		return nil
	}
	if err := call.EndScheduled(ctx, tx, recipients, how.Unclaimed); err != nil { // it keeps when they were due
		return err
	}
	if _, err := tx.Exec(ctx, `
		update recipient set status = @status, skip_reason = nullif(@skip_reason, ''), due_at = null, wait_reason = null
		where id = any(@ids)`,
		pgx.NamedArgs{"ids": recipients, "status": how.Status, "skip_reason": how.SkipReason}); err != nil {
		return fmt.Errorf("close %d scheduled calls: %w", len(recipients), err)
	}
	return nil
}

// EndStanding ends a standing campaign that can't call any more, with its scheduled calls: its agent, its phone number
// or its connection was removed. The caller holds its row lock.
func EndStanding(ctx context.Context, tx pgx.Tx, id uuid.UUID, reason string) error {
	ids, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID],
		`select id from recipient where campaign_id = $1 and status = 'pending'`, id)
	if err != nil {
		return fmt.Errorf("read the calls of a standing campaign: %w", err)
	}
	if err := CloseCalls(ctx, tx, ids, ClosedBy(call.ReasonRemoved, cmp.Or(removed[reason], reason))); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		update campaign set status = 'failed', ended_reason = $2, ended_at = clock(), dial_at = null, waiting = '[]'
		where id = $1`, id, reason)
	if err != nil {
		return fmt.Errorf("end standing campaign %s: %w", id, err)
	}
	return nil
}

// removed are the words for the end of a standing campaign.
var removed = map[string]string{
	EndedAgent:      "The agent was removed",
	EndedNumber:     "The phone number was removed",
	EndedConnection: "The connection was removed",
}
