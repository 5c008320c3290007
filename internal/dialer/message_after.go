package dialer

import (
	"context"
	"slices"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/webhook"
)

// triggersMessage reports whether the end of a call triggers the campaign's message. A call that ended
// after its campaign was canceled can trigger the message, because the message belongs to the call.
// So can the call of a recipient who was canceled during it, but nobody writes to a canceled recipient because they
// were not reached.
// A call with an unknown outcome triggers no message. A call in which the recipient opted out
// triggers no message either. After a call that ended with an intent, the campaign's list of
// intents decides, and the message does not wait for another attempt.
func (c *campaignDelta) triggersMessage(e call.Ended, r *recipientResult) bool {
	last := r.status
	switch *c.MessagingTrigger {
	case campaign.TriggerNoAnswer:
		unanswered := e.AnsweredAt == nil || e.Outcome == call.OutcomeVoicemail
		return last == campaign.RecipientFailed && !r.Canceled && unanswered && e.EndedReason != call.ReasonCarrierLost
	case campaign.TriggerAfterCall:
		if e.Outcome != call.OutcomeCompleted || e.EndedReason == call.ReasonOptedOut {
			return false
		}
		if e.Intent != "" {
			return slices.Contains(c.FollowUp, e.Intent)
		}
		return last == campaign.RecipientCompleted
	}
	return false
}

// planMessages plans the messages that follow the calls of the batch. It also withdraws
// messages that precede a call when the call could not be placed in time.
func (s *settlement) planMessages(ctx context.Context, out *webhook.Outbox) error {
	if len(s.unmet) > 0 {
		if err := messaging.Withdraw(
			ctx, s.tx, s.unmet, "The call that it announced could not be placed in time",
		); err != nil {
			return err
		}
	}
	if len(s.refused) > 0 {
		if err := campaign.Withdraw(ctx, s.tx, s.refused, campaign.RecipientSkipped); err != nil {
			return err
		}
	}
	if len(s.followed) == 0 {
		return nil
	}
	err := campaign.PlanMessages(ctx, s.tx, out, s.followed)
	if lockTimedOut(err) { // another transaction has locked the WhatsApp number
		return &lockedError{s.recipients[s.followed[0]].CampaignID}
	}
	return err
}
