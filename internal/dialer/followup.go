package dialer

import (
	"context"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/webhook"
)

// followsUp reports whether the end of a call triggers the campaign's message. A call that ended
// after its campaign was canceled can trigger the message, because the message belongs to the call.
// A call with an unknown outcome triggers no message. A call in which the recipient opted out
// triggers no message either.
func followsUp(t campaign.Trigger, e call.Ended, last campaign.RecipientStatus) bool {
	switch t {
	case campaign.TriggerNoAnswer:
		unanswered := e.AnsweredAt == nil || e.Outcome == call.OutcomeVoicemail
		return last == campaign.RecipientFailed && unanswered && e.EndedReason != call.ReasonCarrierLost
	case campaign.TriggerAfterCall:
		return last == campaign.RecipientCompleted && e.Outcome == call.OutcomeCompleted &&
			e.EndedReason != call.ReasonOptedOut
	}
	return false
}

// followUp plans the messages that follow the calls of the batch. It also withdraws
// messages that precede a call when the call could not be placed in time.
func (s *settlement) followUp(ctx context.Context, out *webhook.Outbox) error {
	if len(s.unmet) > 0 {
		if err := messaging.Withdraw(
			ctx, s.tx, s.unmet, "The call that it announced could not be placed in time",
		); err != nil {
			return err
		}
	}
	if len(s.followed) == 0 {
		return nil
	}
	err := campaign.PlanMessages(ctx, s.tx, out, s.followed)
	if lockTimedOut(err) { // another transaction has locked the WhatsApp number
		for id, c := range s.campaigns {
			if c.MessagingTrigger != nil {
				return &lockedError{id}
			}
		}
	}
	return err
}
