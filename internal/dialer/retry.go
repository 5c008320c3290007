package dialer

import (
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
)

const (
	// After a call that the connection could not place, its recipient waits
	// this long, twice as long after the next, and so on.
	carrierLeast = 30 * time.Second
	carrierMost  = 15 * time.Minute
)

// retry tells whether the recipient of a call is to be called again, and after
// what delay. What nobody knows to have failed is never repeated, nor is a
// person called who asked not to be.
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

// again puts a recipient back among those who wait.
func (s *settlement) again(c *campaignDelta, r *recipientResult, wait time.Duration, reason string) {
	due := s.now.Add(wait)
	at := due
	// Hours that can't be read are the dialer's to report, for this campaign
	// alone; here they would hold up the calls of all others.
	if schedule, err := scheduleOf(c.CallingHours, r.Zones); err == nil {
		at = campaign.Opening(schedule, due)
	}
	if at.After(due) {
		reason = campaign.WaitCallingHours
	}
	r.status, r.dueAt, r.waitReason = campaign.RecipientPending, &at, &reason
	c.waits, s.waits = true, true
}

// final is the last state of a recipient after a call that is not repeated.
func final(e call.Ended) campaign.RecipientStatus {
	switch {
	case e.Outcome == call.OutcomeCompleted, e.EndedReason == call.ReasonVoicemailMessage:
		return campaign.RecipientCompleted
	case e.Outcome == call.OutcomeCanceled:
		return campaign.RecipientCanceled
	}
	return campaign.RecipientFailed
}
