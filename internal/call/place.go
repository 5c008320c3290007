package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/suppression"
)

const (
	// While the database is away, it is asked again for leave to place a call, as
	// often and as long as this.
	askRetryGap  = 200 * time.Millisecond
	askRetryTime = 30 * time.Second
)

// askTime is the deadline of the carrier's answer, counted from just before
// the row says that it is being asked.
const askTime = 10 * time.Second

// carrierGrace is how much longer than allowed the carrier lets a call last:
// whoever holds its line ends it in time and knows why, the carrier only ends
// one that nobody holds.
const carrierGrace = 10 * time.Second

// Placed is what became of a Place.
type Placed string

const (
	PlacedAccepted    Placed = "accepted"    // the carrier has the call
	PlacedRefused     Placed = "refused"     // ended: the carrier does not call this number
	PlacedThrottled   Placed = "throttled"   // ended, nothing rang: too much is asked of the connection right now
	PlacedUnavailable Placed = "unavailable" // ended, nothing rang: the connection fails
	PlacedUnknown     Placed = "unknown"     // may have been placed: it stays queued, callbacks or the reconciler tell
	PlacedNot         Placed = "not"         // the carrier was not asked: the call is closed, or its lease was over
)

// Result is what became of a Place, for whoever paces the next ones.
type Result struct {
	Placed     Placed
	RetryAfter time.Duration // of PlacedThrottled; 0 when the carrier does not say
}

// Place asks the carrier for a claimed call: at most once in the life of its
// row, whoever calls it how often. It commits that it is going to ask before it
// does, so that a row that does not say so was never dialed.
//
// Once begun it is carried through, for up to 10 s, whatever becomes of ctx.
// With an error, what became of the call could not be written; Reconcile will
// find out.
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

	asking, troubled, ok, err := s.askUntil(ctx, stopping, c.ID)
	switch {
	case err != nil:
		return Result{Placed: PlacedNot}, err
	case !ok:
		return s.notPlaced(ctx, move{ID: c.ID, Unasked: true})
	case !s.within(asking, askTime):
		// The process was suspended just now, and its timers did not notice.
		return s.notPlaced(ctx, move{ID: c.ID})
	}
	actx, cancel := context.WithDeadline(ctx, asking.Add(askTime))
	defer cancel()
	id, err := network.Place(actx, carrier.Placement{
		CallID: c.ID, From: c.FromNumber, To: c.ToNumber,
		RingTimeout: c.RingTimeout, MaxDuration: c.MaxDuration + carrierGrace,
		LeaveMessage: c.VoicemailAction == LeaveMessage, Record: c.Record,
	})
	if err != nil {
		if troubled && !carrier.Connection(err) { // it works: what it was asked for does not
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
		// Somebody asked to end it while it was being placed.
		if err := network.Hangup(actx, carrier.Ref{CallID: c.ID, CarrierCallID: id, From: c.FromNumber, To: c.ToNumber}); err != nil {
			s.log.WarnContext(ctx, "hanging up a call failed and will be retried", "call", c.ID, "error", err)
		}
	}
	if troubled {
		return result, project.ClearFailures(ctx, s.pool, c.ConnectionID)
	}
	return result, nil
}

// within reports whether less than d has passed since a moment, by the wall
// clock and by the monotonic one: the one may be set back, the other stands
// still while the machine is suspended.
func (s *Service) within(since time.Time, d time.Duration) bool {
	now := s.now()
	return now.Sub(since) < d && now.Round(0).Sub(since.Round(0)) < d
}

// askUntil asks, and again for a while when the database is away: else the call
// would wait for the end of its lease. It is safe to repeat, because a row that
// says that the carrier is being asked does not say so twice. began is when the
// last try began.
func (s *Service) askUntil(ctx context.Context, stopping <-chan struct{}, id uuid.UUID) (began time.Time, troubled, ok bool, err error) {
	began = s.now()
	for first := began; ; began = s.now() {
		troubled, ok, err = s.ask(ctx, id)
		if !postgres.Away(err) || !s.within(first, askRetryTime) {
			return began, troubled, ok, err
		}
		select {
		case <-stopping:
			return began, troubled, ok, err
		case <-time.After(askRetryGap):
		}
	}
}

// ask writes down that the carrier is going to be asked. ok is false when it
// must not be: the lease is over, the call is closed or to be hung up, it was
// asked before, or the number has come onto the do-not-call list, or all calling
// was stopped, since the claim. troubled says that the connection has failed lately.
func (s *Service) ask(ctx context.Context, id uuid.UUID) (troubled, ok bool, err error) {
	err = s.pool.QueryRow(ctx, `
		update call c set asked_at = k.t, heard_at = k.t
		from (select clock() as t) k
		where c.id = $1 and c.status = 'queued' and c.asked_at is null and c.hang_up_at is null and c.lease_until > k.t
		  and not `+suppression.Blocks(suppression.Voice, "c.organization_id", "c.to_number")+`
		  and not exists (select from organization o where o.id = c.organization_id and o.calling_stopped_at is not null)
		returning (select n.consecutive_errors > 0 from connection n where n.id = c.connection_id)`, id).Scan(&troubled)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return false, false, nil
	case err != nil:
		return false, false, fmt.Errorf("mark call %s as being placed: %w", id, err)
	}
	return troubled, true, nil
}

// notPlaced ends a claimed call that the carrier was certainly not asked for.
func (s *Service) notPlaced(ctx context.Context, m move) (Result, error) {
	m.To, m.Reason, m.By = Failed, ReasonNotPlaced, BySystem
	after, err := s.transition(ctx, s.pool, m)
	if err != nil {
		return Result{Placed: PlacedNot}, err
	}
	s.wakeAfter(after)
	return Result{Placed: PlacedNot}, nil
}

// unplaced writes down that the carrier did not take a call, and why.
func (s *Service) unplaced(ctx context.Context, c Claimed, cause error, asked bool) (Result, error) {
	why, ok := errors.AsType[*carrier.Error](cause)
	if !ok {
		why = &carrier.Error{Kind: carrier.Ambiguous, Reason: "the carrier's answer is not known", Err: cause}
	}
	if carrier.Connection(why) {
		s.log.WarnContext(ctx, "carrier could not place a call", "call", c.ID, "connection", c.ConnectionID, "error", cause)
		if err := project.CountFailure(ctx, s.pool, c.ConnectionID, why.Error()); err != nil {
			return Result{Placed: PlacedUnknown}, err
		}
	}
	m := move{ID: c.ID, Unasked: !asked, To: Failed, By: ByCarrier, Detail: why.Error()}
	result := Result{RetryAfter: why.RetryAfter}
	switch why.Kind {
	case carrier.Refused:
		result.Placed, m.Reason = PlacedRefused, ReasonRefused
		if why.InvalidNumber {
			m.Reason = ReasonInvalidNumber
		}
	case carrier.Throttled:
		result.Placed, m.Reason = PlacedThrottled, ReasonCarrierBusy
	case carrier.Unusable:
		result.Placed, m.Reason = PlacedUnavailable, ReasonCarrierUnavailable
	default:
		return Result{Placed: PlacedUnknown}, nil
	}
	after, err := s.transition(ctx, s.pool, m)
	if err != nil {
		return result, err
	}
	s.wakeAfter(after)
	return result, nil
}

// readable is what may be shown of an error.
func readable(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return "the connection could not be opened"
}
