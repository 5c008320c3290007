package dialer

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/postgres"
)

// resume completes the recipients who called us and answered what was left open. The campaigns are locked, so the
// dialer claims no recipient meanwhile. If it claimed one before, the settlement of that call completes the recipient.
func (s *settlement) resume(ctx context.Context, ended []call.Ended) error {
	calls := map[uuid.UUID]uuid.UUID{}
	var ids []uuid.UUID
	for _, e := range ended {
		if e.Resumed() {
			calls[*e.ResumesRecipientID] = e.ID
			ids = append(ids, *e.ResumesRecipientID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	type recipient struct {
		ID         uuid.UUID
		CampaignID uuid.UUID
		Attempts   int
		Status     campaign.RecipientStatus
		Planned    bool // the next call is scheduled
	}
	found, err := postgres.Collect(ctx, s.tx, pgx.RowToStructByName[recipient], `
		select id, campaign_id, attempts, status, next_call_id is not null as planned from recipient
		where id = any($1) and status in ('pending', 'dialing')
		order by id for no key update`, ids)
	if err != nil {
		return fmt.Errorf("find recipients who called: %w", err)
	}
	for _, r := range found {
		c, by := s.campaigns[r.CampaignID], calls[r.ID]
		if c == nil {
			continue
		}
		if r.Status == campaign.RecipientPending {
			if r.Planned {
				how := call.Unclaimed{Outcome: call.OutcomeCanceled, Reason: call.ReasonCalledBack}
				if err := call.EndScheduled(ctx, s.tx, []uuid.UUID{r.ID}, how); err != nil {
					return err
				}
			}
			s.results = append(s.results, &recipientResult{
				recipientRow: recipientRow{ID: r.ID, CampaignID: r.CampaignID, Attempts: r.Attempts},
				status:       campaign.RecipientCompleted,
				outcome:      string(call.OutcomeCompleted),
			})
			c.count(campaign.RecipientCompleted)
			continue
		}
		if claimed := s.recipients[r.ID]; claimed != nil { // perhaps settled in this batch
			claimed.AnsweredCallID = &by
		}
		if _, err := s.tx.Exec(ctx, `update recipient set answered_call_id = $2 where id = $1`, r.ID, by); err != nil {
			return fmt.Errorf("complete recipient %s, who called: %w", r.ID, err)
		}
	}
	return nil
}
