package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// While the database is unavailable, ask is repeated this often and for this long.
	askRetryGap  = 200 * time.Millisecond
	askRetryTime = 30 * time.Second
)

// askTime is how long the carrier may take to answer. It begins just before asked_at is written.
const askTime = 10 * time.Second

// carrierGrace is added to the maximum duration that the carrier receives. The holder of the line
// ends a call in time and records why. The carrier ends only calls without a holder.
const carrierGrace = 10 * time.Second

// Placed is the result of a Place.
type Placed string

const (
	PlacedAccepted    Placed = "accepted"    // the carrier has the call
	PlacedRefused     Placed = "refused"     // ended: the carrier does not call this number or this country
	PlacedThrottled   Placed = "throttled"   // ended, no phone rang: too many requests for the connection
	PlacedUnavailable Placed = "unavailable" // ended, no phone rang: the connection or the calling number failed
	// perhaps placed: it stays queued until a callback or the reconciler resolves it
	PlacedUnknown Placed = "unknown"
	PlacedNot     Placed = "not" // the call was not requested from the carrier: it is closed, or its lease has expired
)

// Result is the result of a Place, for the pace of the next calls.
type Result struct {
	Placed     Placed
	RetryAfter time.Duration // for PlacedThrottled; 0: the carrier does not say
}

// Place requests a claimed call from the carrier, at most once in the life of its row, however
// often Place is called. It commits asked_at before the request. So a call without asked_at was
// never dialed.
//
// Once begun, Place continues after the end of ctx, for up to 10 s. An error says that the result
// could not be written. Reconcile finds the result later.
func (s *Service) Place(ctx context.Context, c Claimed) (became Result, err error) {
	defer func() { placements.WithLabelValues(string(cmp.Or(became.Placed, PlacedUnknown))).Inc() }()
	stopping := ctx.Done()
	lasts := ctx.Err() == nil && s.within(c.since, leaseTime)
	ctx = context.WithoutCancel(ctx)
	if !lasts {
		return s.notPlaced(ctx, move{ID: c.ID, Unasked: true})
	}
	network, err := s.carriers(ctx, c.ConnectionID)
	if err != nil {
		return s.unplaced(ctx, c, &carrier.Error{Kind: carrier.Unusable, Reason: readable(err), Err: err}, false)
	}

	answer, err := s.check(ctx, stopping, c)
	switch {
	case err != nil:
		return Result{Placed: PlacedNot}, err
	case answer != nil && answer.Result != predial.Allowed && answer.Result != predial.FailedOpen:
		return s.notAllowed(ctx, c, answer)
	}
	asking, troubled, ok, err := s.askUntil(ctx, stopping, c, answer)
	switch {
	case err != nil:
		return Result{Placed: PlacedNot}, err
	case !ok:
		return s.notPlaced(ctx, move{ID: c.ID, Unasked: true, Check: answer})
	case !s.within(asking, askTime):
		// The process was suspended, which its timers did not notice.
		return s.notPlaced(ctx, move{ID: c.ID})
	}
	actx, cancel := context.WithDeadline(ctx, asking.Add(askTime))
	defer cancel()
	id, err := network.Place(actx, carrier.Placement{
		CallID: c.ID, From: c.OwnNumber, To: c.PersonNumber,
		RingTimeout: c.RingTimeout, MaxDuration: c.MaxDuration + carrierGrace,
		Detection: c.Detection, CallReason: c.CallReason, Record: c.Record,
	})
	if err != nil {
		if troubled.connection && !carrier.Connection(err) { // the connection works, the request for this call failed
			if err := project.ClearFailures(ctx, s.pool, c.ConnectionID); err != nil {
				return Result{Placed: PlacedUnknown}, err
			}
		}
		return s.unplaced(ctx, c, err, true)
	}

	result := Result{Placed: PlacedAccepted}
	after, err := s.transition(ctx, s.pool, move{ID: c.ID, Accepted: true, CarrierCallID: id})
	if err != nil {
		return result, err
	}
	s.wakeAfter(after)
	if after.Found && after.EndedAt == nil && after.HangUpAt != nil {
		// The end of the call was requested while the call was being placed.
		if err := network.Hangup(actx, carrier.Ref{
			CallID: c.ID, CarrierCallID: id, From: c.OwnNumber, To: c.PersonNumber,
		}); err != nil {
			s.log.WarnContext(ctx, "hanging up a call failed and will be retried", "call", c.ID, "error", err)
		}
	}
	if troubled.connection {
		if err := project.ClearFailures(ctx, s.pool, c.ConnectionID); err != nil {
			return result, err
		}
	}
	if troubled.caller {
		return result, project.ClearCallerRefusals(ctx, s.pool, c.PhoneNumberID)
	}
	return result, nil
}

// within reports whether less than d has passed since a moment, by the wall clock and by the
// monotonic clock. The wall clock may be set back, and the monotonic clock stops while the
// machine is suspended.
func (s *Service) within(since time.Time, d time.Duration) bool {
	now := s.now()
	return now.Sub(since) < d && now.Round(0).Sub(since.Round(0)) < d
}

// askUntil calls ask, and repeats it for askRetryTime while the database is unavailable. Otherwise
// the call would wait for the end of its lease. Repeating is safe, because asked_at is set only
// once. began is when the last attempt began.
func (s *Service) askUntil(
	ctx context.Context, stopping <-chan struct{}, c Claimed, answer *predial.Answer,
) (began time.Time, troubled trouble, ok bool, err error) {
	err = s.whileAway(stopping, func() error {
		began = s.now()
		troubled, ok, err = s.ask(ctx, c, answer)
		return err
	})
	return began, troubled, ok, err
}

// whileAway repeats do for askRetryTime while the database is unavailable.
func (s *Service) whileAway(stopping <-chan struct{}, do func() error) error {
	for first := s.now(); ; {
		err := do()
		if !postgres.Away(err) || !s.within(first, askRetryTime) {
			return err
		}
		select {
		case <-stopping:
			return err
		case <-time.After(askRetryGap):
		}
	}
}

// trouble is what has failed recently. An accepted call clears its failures.
type trouble struct{ connection, caller bool }

// ask sets asked_at, and stores the answer of the pre-dial check. ok is false when the call must
// not be requested from the carrier: the lease has expired, the call is closed or about to end,
// the call was requested before, or since the claim the number was added to the do-not-call list
// or all calling was stopped, or the person has called us.
func (s *Service) ask(
	ctx context.Context, c Claimed, answer *predial.Answer,
) (troubled trouble, ok bool, err error) {
	err = s.pool.QueryRow(ctx, `
		update call c set asked_at = k.t, heard_at = k.t, pre_dial_check = $2
		from (select clock() as t) k
		where c.id = $1 and c.status = 'queued' and c.asked_at is null and c.hang_up_at is null and c.lease_until > k.t
		  and not `+suppression.Blocks(suppression.Voice, "c.organization_id", "c.person_number", "$3")+`
		  -- The person called us meanwhile, and perhaps answers what this call is for.
		  and not exists (select from call i
			where i.organization_id = c.organization_id and i.person_number = c.person_number
			  and i.direction = 'inbound' and i.settled_at is null)
		  and not exists (select from organization o
			where o.id = c.organization_id and o.calling_stopped_at is not null)
		returning (select n.consecutive_errors > 0 or n.probing is not distinct from 'call'
			from connection n where n.id = c.connection_id),
		          exists (select from caller_refusal f where f.phone_number_id = c.phone_number_id)`,
		c.ID, answer, suppression.HashOf(c.OrganizationID, phone.Number(c.PersonNumber))).
		Scan(&troubled.connection, &troubled.caller)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return trouble{}, false, nil
	case err != nil:
		return trouble{}, false, fmt.Errorf("mark call %s as being placed: %w", c.ID, err)
	}
	return troubled, true, nil
}

// notPlaced ends a claimed call that was certainly not requested from the carrier.
func (s *Service) notPlaced(ctx context.Context, m move) (Result, error) {
	m.To, m.Reason, m.By = Failed, ReasonNotPlaced, BySystem
	after, err := s.transition(ctx, s.pool, m)
	if err != nil {
		return Result{Placed: PlacedNot}, err
	}
	s.wakeAfter(after)
	return Result{Placed: PlacedNot}, nil
}

// unplaced records that the carrier did not accept a call, and why.
func (s *Service) unplaced(ctx context.Context, c Claimed, cause error, asked bool) (Result, error) {
	why, ok := errors.AsType[*carrier.Error](cause)
	if !ok {
		why = &carrier.Error{Kind: carrier.Ambiguous, Reason: "the carrier's answer is not known", Err: cause}
	}
	if carrier.Connection(why) {
		s.log.WarnContext(ctx, "carrier could not place a call", "call", c.ID, "connection", c.ConnectionID, "error",
			cause)
		if err := project.CountFailure(ctx, s.pool, c.ConnectionID, why.Error()); err != nil {
			return Result{Placed: PlacedUnknown}, err
		}
	}
	if why.Concern == carrier.ConcernCaller {
		s.log.WarnContext(ctx, "carrier refused the calling number", "call", c.ID, "phone_number_id",
			c.PhoneNumberID, "error", cause)
		if err := project.CountCallerRefusal(ctx, s.pool, c.PhoneNumberID, why.Error()); err != nil {
			return Result{Placed: PlacedUnknown}, err
		}
	}
	m := move{ID: c.ID, Unasked: !asked, To: Failed, By: ByCarrier, Code: why.Code, Detail: why.Reason}
	result := Result{RetryAfter: why.RetryAfter}
	if result.Placed, m.Reason = placedOf(why); m.Reason == "" {
		return result, nil
	}
	after, err := s.transition(ctx, s.pool, m)
	if err != nil {
		return result, err
	}
	s.wakeAfter(after)
	return result, nil
}

// placedOf returns what a carrier's error means for a call. The reason is empty if the call
// was perhaps placed.
func placedOf(why *carrier.Error) (Placed, Reason) {
	switch {
	case why.Kind == carrier.Ambiguous:
		return PlacedUnknown, ""
	case why.Kind == carrier.Throttled:
		return PlacedThrottled, ReasonCarrierBusy
	case why.Concern == carrier.ConcernAccount:
		return PlacedUnavailable, ReasonAccountRefused
	case why.Concern == carrier.ConcernCountry:
		return PlacedRefused, ReasonCountryRefused
	case why.Concern == carrier.ConcernCaller:
		return PlacedUnavailable, ReasonCallerRefused
	case why.Kind == carrier.Unusable:
		return PlacedUnavailable, ReasonCarrierUnavailable
	case why.InvalidNumber:
		return PlacedRefused, ReasonInvalidNumber
	}
	return PlacedRefused, ReasonRefused
}

// readable returns the part of an error that users may see.
func readable(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return "the connection could not be opened"
}
