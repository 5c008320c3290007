package campaign

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/postgres"
)

// FollowedUp counts what became of recipients of FollowUpRecipients.
type FollowedUp struct {
	Opened   int // have a new follow-up
	Already  int // had one of their last call
	Waiting  int // are called again, or on a call now
	Reached  int // were reached, asked not to be called again, or were canceled
	Uncalled int // had no call, so there is none to follow up
	Unknown  int
}

// lastCalls are how the last call of an unreached recipient ended, in a sentence.
var lastCalls = map[string]string{
	"no_answer": "The last one was not answered", "busy": "The last one was busy",
	"voicemail": "The last one reached voicemail", "failed": "The last one failed",
}

// FollowUpRecipients opens a follow-up for each recipient whose calls are used up and who was not reached: for those
// with the IDs, or for all that match a filter. The follow-up is about the last call and has no assignee. A second one
// of the same call is not opened. Errors: Invalid; NotFound for the campaign.
func (s *Service) FollowUpRecipients(
	ctx context.Context, actor account.Actor, campaignID uuid.UUID, chosen Chosen, matching *RecipientOptions,
) (result FollowedUp, err error) {
	if matching == nil {
		if err := chosen.Check(); err != nil {
			return result, err
		}
	}
	type row struct {
		Status     RecipientStatus
		Outcome    *string
		Attempts   int
		LastCallID *uuid.UUID
		Unreached  bool
	}
	err = postgres.InTx(ctx, s.db, func(tx pgx.Tx) error {
		if _, err := lockList(ctx, tx, actor.OrganizationID, campaignID); err != nil {
			return err
		}
		if matching != nil {
			if chosen, err = s.matched(ctx, tx, actor.OrganizationID, campaignID, *matching); err != nil {
				return err
			}
		}
		rows, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[row], `
			select status, outcome, attempts, last_call_id,
			       canceled_at is null and not opted_out and phone_number <> ''
			         and status in ('failed', 'expired', 'canceled')
			         and outcome in ('no_answer', 'busy', 'voicemail', 'failed') is true as unreached
			`+sqlChosen+` order by id`, chosen.args(actor.OrganizationID, campaignID))
		if err != nil {
			return fmt.Errorf("read recipients of campaign %s to follow up: %w", campaignID, err)
		}
		var needs []followup.Need
		for _, r := range rows {
			switch {
			case r.Status == RecipientPending, r.Status.dialed():
				result.Waiting++
			case r.LastCallID == nil:
				result.Uncalled++
			case !r.Unreached:
				result.Reached++
			default:
				calls := fmt.Sprintf("%d calls", r.Attempts)
				if r.Attempts == 1 {
					calls = "1 call"
				}
				needs = append(needs, followup.Need{
					CallID: *r.LastCallID, Kind: followup.Unreached,
					Reason: "Not reached in " + calls + ". " + lastCalls[*r.Outcome],
				})
			}
		}
		result.Opened, err = followup.OpenAll(ctx, tx, actor, needs)
		result.Already = len(needs) - result.Opened
		result.Unknown = len(chosen.IDs) + len(chosen.ExternalIDs) - len(rows)
		return err
	})
	if err != nil {
		return FollowedUp{}, err
	}
	s.Wake()
	return result, nil
}
