package call

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// Deliver applies an event of the carrier. Events may arrive at any process, in any order
// and more than once. It implements carrier.Host. Errors: carrier.ErrUnknownCall for a call
// that the connection does not have.
func (s *Service) Deliver(ctx context.Context, e carrier.Event) error {
	if e.CallID == uuid.Nil { // the carrier knows a number's calls by its own IDs only
		id, err := s.received(ctx, s.pool, carrier.Incoming{
			ConnectionID: e.ConnectionID, CarrierCallID: e.CarrierCallID,
		})
		if err != nil {
			return err
		}
		if id == uuid.Nil {
			return carrier.ErrUnknownCall
		}
		e.CallID = id
	}
	m := move{
		ID: e.CallID, ConnectionID: e.ConnectionID,
		Accepted: true, CarrierCallID: e.CarrierCallID, At: e.At,
		Attestation: e.Attestation,
	}
	switch e.Kind {
	case carrier.Accepted:
		m.LikelyKnown = true // from the answer to the dial request
	case carrier.Ringing:
		m.To = Ringing
	case carrier.Answered:
		m.To = InProgress
	case carrier.Detected: // detection follows the answer
		m.To, m.AnsweredBy = InProgress, answerer(e.AnsweredBy)
	case carrier.Recorded:
		return s.recorded(ctx, e)
	case carrier.Forwarded:
		return s.forwarded(ctx, e)
	case carrier.LineFailed:
		return s.lineFailed(ctx, e)
	case carrier.Ended:
		m.end(e.Outcome, e.SIPStatus)
		m.Code, m.Detail, m.Talked = e.Code, e.Detail, e.Duration
	default:
		return fmt.Errorf("apply an event of call %s: unknown kind %q", e.CallID, e.Kind)
	}
	after, err := s.transition(ctx, s.pool, m)
	switch {
	case err != nil:
		return err
	case !after.Found:
		return carrier.ErrUnknownCall
	}
	s.wakeAfter(after)
	if m.AnsweredBy == Machine {
		s.wake(LineTopic(e.CallID))
	}
	return nil
}

// end makes m the end of a call as the carrier reports it. If this product ended the call,
// sqlFinish keeps its reason.
func (m *move) end(o carrier.Outcome, sipStatus string) {
	switch o {
	case carrier.Completed:
		m.To, m.Reason, m.By = Completed, ReasonHungUp, ByRecipient
	case carrier.Busy:
		m.To, m.Reason, m.By = Busy, ReasonBusy, ByRecipient
	case carrier.NoAnswer:
		m.To, m.Reason, m.By = NoAnswer, ReasonNoAnswer, BySystem
	case carrier.Canceled:
		m.To, m.Reason, m.By = Canceled, ReasonCanceled, ByCarrier
	default:
		m.To, m.Reason, m.By = Failed, sipReason(sipStatus), ByCarrier
		if m.Reason == ReasonRejected {
			m.By = ByRecipient
		}
	}
}

// sipReason returns the reason for the final SIP status of a call that failed (RFC 3261 §21;
// 607 and 608: RFC 8197 and RFC 8688).
func sipReason(code string) Reason {
	switch code {
	case "404", "410", "484", "604": // not found, gone, address incomplete, does not exist anywhere
		return ReasonInvalidNumber
	case "403", "603", "607", "608": // forbidden, decline, unwanted, rejected
		return ReasonRejected
	}
	return ReasonUnreachable
}

func answerer(a carrier.AnsweredBy) AnsweredBy {
	switch a {
	case carrier.Human:
		return Human
	case carrier.Machine:
		return Machine
	case carrier.Unknown:
		return Unknown
	}
	return ""
}
