package call

import (
	"cmp"
	"context"
	"errors"

	"github.com/dialwright/dialwright/internal/predial"
)

// check asks the pre-dial check of the organization about a call to a recipient. It returns nil
// if there is no check. Calls without a recipient are a person's calls to hear an agent, mostly to
// their own phone, and are not checked. If this process dies before the call is placed, the process
// that claims the recipient again asks again.
func (s *Service) check(ctx context.Context, stopping <-chan struct{}, c Claimed) (answer *predial.Answer, err error) {
	if !c.Checked {
		return nil, nil
	}
	if s.checks == nil {
		return nil, errors.New("this process can't ask the pre-dial check")
	}
	question := predial.Question{
		OrganizationID: c.OrganizationID, CallID: c.ID, CampaignID: c.CampaignID,
		From: c.OwnNumber, To: c.PersonNumber, Attempt: c.Attempt,
		Recipient: predial.Recipient{
			ID: c.RecipientID, ExternalID: c.ExternalID, Variables: c.Variables, Metadata: c.Metadata,
		},
	}
	if c.RecipientName != "" {
		question.Recipient.Name = &c.RecipientName
	}
	recovered := false
	err = s.whileAway(stopping, func() (err error) {
		answer, recovered, err = s.checks.Ask(ctx, question)
		if answer != nil && err != nil { // the answer counts, and is not asked for again
			s.log.WarnContext(ctx, "the health of the pre-dial check was not saved", "organization",
				c.OrganizationID, "error", err)
			return nil
		}
		return err
	})
	if recovered {
		s.wake(TopicDialer)
	}
	return answer, err
}

// notAllowed ends a call that the pre-dial check refused, or whose check failed.
func (s *Service) notAllowed(ctx context.Context, c Claimed, answer *predial.Answer) (Result, error) {
	m := move{ID: c.ID, Unasked: true, To: Canceled, Reason: ReasonCheckFailed, By: BySystem, Check: answer}
	if answer.Result == predial.Refused {
		m.Reason = ReasonNotAllowed
	}
	m.Detail = *cmp.Or(answer.Reason, &noReason)
	after, err := s.transition(ctx, s.pool, m)
	if err != nil {
		return Result{Placed: PlacedNot}, err
	}
	s.wakeAfter(after)
	return Result{Placed: PlacedNot}, nil
}

// noReason are the words for a refusal without a reason.
var noReason = "The pre-dial check gave no reason"
