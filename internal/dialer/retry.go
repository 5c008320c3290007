package dialer

import (
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
)

const (
	// carrierLeast is how long a recipient waits after a call that the connection could
	// not place. The delay doubles with each further call of this kind.
	carrierLeast = 30 * time.Second
	carrierMost  = 15 * time.Minute
)

// retry reports whether to call the recipient of a call again, and after what delay. A
// call with an unknown end is not repeated, because it may have succeeded. A recipient
// who opted out is not called again.
func (c *campaignDelta) retry(e call.Ended, r *recipientResult) (time.Duration, bool) {
	switch {
	case e.EndedReason == call.ReasonNotPlaced:
		return 0, true
	case e.EndedReason.NotPlaced():
		return min(carrierLeast<<min(max(r.NotPlaced-1, 0), 10), carrierMost), true
	case e.EndedReason == call.ReasonCarrierLost, e.EndedReason == call.ReasonOptedOut:
		return 0, false
	case r.Attempts >= c.MaxAttempts, !slices.Contains(c.RetryOn, string(e.Outcome)):
		return 0, false
	}
	delays, delay := c.RetryDelays, 0
	if own := c.RetryOutcomeDelays[string(e.Outcome)]; len(own) > 0 {
		delays = own
	}
	if n := len(delays); n > 0 {
		delay = delays[min(max(r.Attempts-1, 0), n-1)]
	}
	return time.Duration(delay) * time.Minute, true
}

// again returns a recipient to the waiting state.
func (s *settlement) again(c *campaignDelta, r *recipientResult, wait time.Duration, reason string) {
	due := s.now.Add(wait)
	at := due
	// The dialer reports invalid hours for their campaign alone. An error here would
	// block the settlement of all other calls.
	if schedule, err := scheduleOf(c.CallingHours, r.Zones); err == nil {
		at = campaign.Opening(schedule, due)
	}
	if at.After(due) {
		reason = campaign.WaitCallingHours
	}
	r.status, r.dueAt, r.waitReason = campaign.RecipientPending, &at, &reason
	c.waits, s.waits = true, true
}

// final returns the last state of a recipient after a call that is not repeated.
func final(e call.Ended) campaign.RecipientStatus {
	switch {
	case e.Outcome == call.OutcomeCompleted, e.EndedReason == call.ReasonVoicemailMessage:
		return campaign.RecipientCompleted
	case e.Outcome == call.OutcomeCanceled:
		return campaign.RecipientCanceled
	}
	return campaign.RecipientFailed
}
