package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// sqlEndedBy adds to the transcripts of calls that are being settled who ended them. It is the last turn, after what
// the agent was saying, and has the time of the request, because a call is settled after its end. Calls that nobody
// answered have no line and no transcript.
const sqlEndedBy = `
	with said as (
		insert into call_turn (call_id, index, organization_id, role, text, created_at)
		select l.call_id, l.turns, l.organization_id, 'system', 'Ended by ' || c.hang_up_by,
			least(c.hang_up_at, c.ended_at)
		from call_line l join call c on c.id = l.call_id
		where l.call_id = any($1) and c.hang_up_by is not null
		returning call_id, text
	)
	update call c set transcript_text = concat_ws(E'\n', nullif(c.transcript_text, ''), s.text)
	from said s where c.id = s.call_id`

// End ends a call for a user. It returns after asking the carrier to hang up. The call ends
// when the carrier reports it. A call that was not requested from the carrier yet ends at
// once. Errors: NotFound, and Conflict for a call that has ended.
func (s *Service) End(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	var ref carrier.Ref
	var connection uuid.UUID
	var after moved
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var endedAt, askedAt *time.Time
		var carrierCallID *string
		err := tx.QueryRow(ctx, `
			update call c set
				hang_up_at = case when c.ended_at is null then coalesce(c.hang_up_at, clock()) else c.hang_up_at end,
				hang_up_by = case when c.ended_at is null and c.hang_up_at is null then $3 else c.hang_up_by end,
				ended_by = case when c.ended_at is null and c.ended_reason is null then 'system' else c.ended_by end,
				ended_reason = case when c.ended_at is null then coalesce(c.ended_reason,
					'ended_by_user') else c.ended_reason end
			where c.organization_id = $1 and c.id = $2
			returning c.ended_at, c.asked_at, c.connection_id, c.carrier_call_id, c.own_number, c.person_number`,
			actor.OrganizationID, id, actor.Name).
			Scan(&endedAt, &askedAt, &connection, &carrierCallID, &ref.From, &ref.To)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			waiting, err := Scheduled(ctx, tx, actor.OrganizationID, []uuid.UUID{id})
			if err == nil && len(waiting) > 0 {
				return fault.Conflictf("The call has not been placed yet. Cancel it instead")
			}
			return cmp.Or(err, error(fault.NotFoundf("Call")))
		case err != nil:
			return fmt.Errorf("end call %s: %w", id, err)
		case endedAt != nil:
			return fault.Conflictf("The call has already ended")
		}
		ref.CallID = id
		if carrierCallID != nil {
			ref.CarrierCallID = *carrierCallID
		}
		if askedAt == nil { // no process will request the call, because hang_up_at is set
			after, err = s.transition(ctx, tx, move{ID: id, To: Canceled, Reason: ReasonEndedByUser, By: BySystem})
			if err != nil {
				return err
			}
		}
		return account.Record(ctx, tx, actor, "call.ended", account.Object{Type: "call", ID: id}, nil)
	})
	if err != nil {
		return err
	}
	s.wakeAfter(after)
	if after.Ended {
		return nil
	}
	s.wake(LineTopic(id))
	if ref.CarrierCallID == "" {
		return nil // the call is being placed: Place or the reconciler reads hang_up_at
	}
	if err := s.hangUp(ctx, connection, ref); err != nil {
		// hang_up_at is stored, so the line or the reconciler hangs up.
		s.log.WarnContext(ctx, "hanging up a call failed and will be retried", "call", id, "error", err)
	}
	return nil
}

// hangUp asks the carrier to end a call.
func (s *Service) hangUp(ctx context.Context, connection uuid.UUID, ref carrier.Ref) error {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	network, err := s.carriers(ctx, connection)
	if err != nil {
		return fmt.Errorf("open connection %s: %w", connection, err)
	}
	return network.Hangup(ctx, ref)
}
