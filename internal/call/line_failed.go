package call

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/project"
)

// quickHangup is how soon after the answer a recipient may hang up before a line opens,
// without a failure of the line. The rules on abandoned calls allow two seconds too
// (16 CFR 310.4(b)(4)(iii)).
const quickHangup = 2 * time.Second

const (
	// No line of an answered call ever opened, and the recipient did not hang up at once.
	sqlNoLine = `not ` + sqlForwarding + ` and not exists (select from call_line l where l.call_id = c.id)
		and greatest(k.t - c.answered_at, make_interval(secs => @talked)) >= make_interval(secs => @quick_hangup)`

	// noLine is the detail of a call whose line failed without a report of the carrier.
	noLine = "no line to the agent opened. The reason is not known"

	// No conversation began: the recipient said nothing, pressed nothing, and heard no
	// sentence of the agent to its end.
	sqlNothingSaid = `not exists (
		select from call_turn t where t.call_id = c.id and not (t.role = 'agent' and t.interrupted))`
)

// lineFailed records why a call has no line, and counts it for its connection and campaign. The call is
// up and about to be ended by the carrier, or it has ended and is not settled. A reason for
// which this product ends the call stays, unless it was only about to be said.
func (s *Service) lineFailed(ctx context.Context, e carrier.Event) error {
	// The line was to be opened, so the call was answered.
	after, err := s.transition(ctx, s.pool, move{
		ID: e.CallID, ConnectionID: e.ConnectionID, To: InProgress, Accepted: true, CarrierCallID: e.CarrierCallID,
		At: e.At, LikelyKnown: true,
	})
	switch {
	case err != nil:
		return err
	case !after.Found:
		return carrier.ErrUnknownCall
	}
	s.wakeAfter(after)
	var campaignID *uuid.UUID
	err = s.pool.QueryRow(ctx, `
		update call c set
			ended_reason = 'line_failed',
			ended_by = 'system',
			detail = $2,
			carrier_code = nullif($3, ''),
			outcome = case when c.outcome = 'completed' and `+sqlNothingSaid+` then 'failed' else c.outcome end
		where c.id = $1 and c.settled_at is null
		  and (c.ended_reason is null or c.ended_reason = 'recipient_hung_up'
		    or c.ended_reason = 'line_failed' and c.detail in ('', '`+noLine+`')
		    or c.ended_reason in ('completed', 'said_goodbye', 'silence', 'turn_limit') and c.ended_at is null)
		returning c.campaign_id`, e.CallID, e.Detail, e.Code).Scan(&campaignID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it is recorded, or the call ends for another reason
	}
	if err != nil {
		return fmt.Errorf("record the failed line of call %s: %w", e.CallID, err)
	}
	why := carrier.Error{Code: e.Code, Reason: e.Detail}
	return project.CountLineFailure(ctx, s.pool, e.ConnectionID, campaignID, why.Error())
}

// noCallbacks is the detail of a call of which the carrier reported nothing.
const noCallbacks = "no callback of the call arrived. Check that the carrier can reach this server's public address"

// isUnreported reports whether a call went its way at the carrier and no callback told of
// it, because the carrier cannot reach this product. It is false for a call whose process
// died, which is the cause then, and while lines of the connection are open, which prove
// that callbacks arrive.
func (s *Service) isUnreported(ctx context.Context, c silentCall, r carrier.Report) (bool, error) {
	if c.Status != Queued || c.Orphaned || c.AskedAt == nil {
		return false, nil
	}
	switch r.Outcome {
	case carrier.Failed, carrier.Canceled: // it may never have reached the phone network
		return false, nil
	}
	if r.Phase != carrier.Talking && r.Phase != carrier.Over {
		return false, nil
	}
	var arrive bool
	err := s.pool.QueryRow(ctx, `
		select exists (
			select from call_line l join call o on o.id = l.call_id
			where o.connection_id = $1 and l.updated_at > $2)`, c.ConnectionID, *c.AskedAt).Scan(&arrive)
	if err != nil {
		return false, fmt.Errorf("look for lines of connection %s: %w", c.ConnectionID, err)
	}
	return !arrive, nil
}
