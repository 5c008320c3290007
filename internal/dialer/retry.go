package dialer

import (
	"slices"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/regulation"
)

const (
	// carrierLeast is how long a recipient waits after a call that the connection could
	// not place, or whose pre-dial check failed. The delay doubles with each further call of this kind.
	carrierLeast = 30 * time.Second
	carrierMost  = 15 * time.Minute

	// callBackMost bounds how often a recipient is called back at the time they asked for,
	// because these calls may exceed the campaign's attempts.
	callBackMost = 2
)

// nextCall says when a recipient is called again, and why not earlier.
type nextCall struct {
	at     time.Time
	reason string // one of campaign.WaitReasons
	// anyTime is whether the recipient named the day of at only.
	anyTime bool
}

// retry reports whether to call the recipient of a call again, and when. A call with an
// unknown end is not repeated, because it may have succeeded. A recipient who opted out,
// or whose number does not exist or is refused by the carrier, is not called again. What
// a person wanted decides before the outcome does.
func (c *campaignDelta) retry(e call.Ended, r *recipientResult, now time.Time) (next nextCall, again bool) {
	action := c.action(e)
	switch {
	case e.EndedReason == call.ReasonNotPlaced:
		return nextCall{at: now, reason: campaign.WaitCarrier}, true
	case e.EndedReason == call.ReasonNotAllowed:
		return nextCall{}, false
	case e.EndedReason.NotPlaced():
		wait, reason := min(carrierLeast<<min(max(r.NotPlaced-1, 0), 10), carrierMost), campaign.WaitCarrier
		if e.EndedReason == call.ReasonCheckFailed {
			reason = campaign.WaitPreDialCheck
		}
		return nextCall{at: now.Add(wait), reason: reason}, true
	case e.EndedReason == call.ReasonCarrierLost, e.EndedReason == call.ReasonOptedOut,
		e.EndedReason == call.ReasonInvalidNumber, e.EndedReason == call.ReasonRefused:
		return nextCall{}, false
	case action == campaign.IntentStop, action == campaign.IntentDoNotCall:
		return nextCall{}, false
	case action == campaign.IntentCallBack && e.CallBackAt != nil && r.CallBacks <= callBackMost:
		at := *e.CallBackAt
		if at.Before(now) {
			at = now
		}
		return nextCall{at: at, reason: campaign.WaitCallBack, anyTime: e.Leeway.AnyTime()}, true
	case r.Attempts >= c.MaxAttempts, action == "" && !slices.Contains(c.RetryOn, string(e.Outcome)):
		return nextCall{}, false
	}
	delays, delay := c.RetryDelays, 0
	if own := c.RetryOutcomeDelays[string(e.Outcome)]; len(own) > 0 {
		delays = own
	}
	if n := len(delays); n > 0 {
		delay = delays[min(max(r.Attempts-1, 0), n-1)]
	}
	return nextCall{at: now.Add(time.Duration(delay) * time.Minute), reason: campaign.WaitRetry}, true
}

// action returns what the intent of a call leads to. It is empty for a call without an
// intent. An opt-out takes precedence over every intent. A recipient who asked for a person
// and talked to one got what they wanted. No agent calls a recipient who was promised a call
// by a person.
func (c *campaignDelta) action(e call.Ended) campaign.IntentAction {
	if e.EndedReason == call.ReasonOptedOut {
		return ""
	}
	if e.Intent == conversation.WantsHuman && e.EndedReason == call.ReasonTransferred {
		return ""
	}
	action := c.Intents.Of(e.Intent)
	switch {
	case action == nil:
		return ""
	case e.ByPerson && (*action == campaign.IntentCallBack || *action == campaign.IntentRetry):
		return campaign.IntentStop
	}
	return *action
}

// again returns a recipient to the waiting state. A recipient who asked to be called back
// waits for this reason even if the time is moved into the calling hours.
func (s *settlement) again(c *campaignDelta, r *recipientResult, next nextCall) {
	at := next.at
	// The dialer reports invalid hours for their campaign alone. An error here would
	// block the settlement of all other calls.
	reason := campaign.WaitCallingHours
	if own, err := scheduleOf(c.CallingHours, r.Zones); err == nil {
		schedule, err := ruled(regulation.NewBook(c.CallingRules), own, r.PhoneNumber, r.Timezone, r.Zones)
		if err != nil {
			schedule = own
		}
		from := next.at
		if next.anyTime && !schedule.Open(from) { // another hour of that day is as good
			if day := dayOf(schedule, from, zoneOf(r.Zones)); day.After(s.now) {
				from = day
			} else {
				from = s.now
			}
		}
		opening := openingOf(schedule, own, from)
		at, reason = opening.at, opening.reason
	}
	if at.After(next.at) && next.reason != campaign.WaitCallBack {
		next.reason = reason
	}
	r.status, r.dueAt, r.waitReason = campaign.RecipientPending, &at, &next.reason
	c.waits, s.waits = true, true
	s.plan(c, r)
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
