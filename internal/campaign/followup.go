package campaign

import (
	"context"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/messaging"
	"github.com/dialwright/dialwright/internal/webhook"
)

// followsUp tells whether the end of a call is what the campaign's messages wait
// for. A call that went on after its campaign was canceled counts: the message
// belongs to the call. What nobody knows to have happened is followed by nothing,
// and so is the wish not to be called again.
func (t Trigger) followsUp(e call.Ended, last RecipientStatus) bool {
	switch t {
	case TriggerNoAnswer:
		unanswered := e.AnsweredAt == nil || e.Outcome == call.OutcomeVoicemail
		return last == RecipientFailed && unanswered && e.EndedReason != call.ReasonCarrierLost
	case TriggerAfterCall:
		return last == RecipientCompleted && e.Outcome == call.OutcomeCompleted && e.EndedReason != call.ReasonOptedOut
	}
	return false
}

// noCall is why the message before a call is withdrawn, up to what became of the
// recipient.
const noCall = "The call after it will not be made: the recipient was "

// followUp plans the messages that the calls of the batch are followed by, and
// withdraws those before calls that could not be placed while there was time.
func (b *books) followUp(ctx context.Context, out *webhook.Outbox) error {
	if len(b.unmet) > 0 {
		if err := messaging.Withdraw(ctx, b.tx, b.unmet, "The call that it announced could not be placed in time"); err != nil {
			return err
		}
	}
	if len(b.followed) == 0 {
		return nil
	}
	err := planMessages(ctx, b.tx, out, b.followed)
	if lockTimedOut(err) { // somebody holds the WhatsApp number
		for id, c := range b.campaigns {
			if c.MessagingTrigger != nil {
				return &lockedError{id}
			}
		}
	}
	return err
}

// wakeSenders has the messages that were planned sent. Call it after the commit.
func (s *Settler) wakeSenders(b *books) {
	if len(b.followed) > 0 {
		s.hub.Wake(messaging.Topic)
	}
}
