package dialer

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/postgres"
)

// askedGap is the time between two looks at an ended call that waits for the end of its recipient's own call.
const askedGap = 2 * time.Second

// wait takes those calls out of the batch that would end a recipient without success who has called us and is asked
// what is open. The settlement of that call decides. It always comes, because every inbound call ends.
func (s *settlement) wait(ctx context.Context, ended []call.Ended) (now []call.Ended, err error) {
	var later []uuid.UUID
	for _, e := range ended {
		if s.waitsForCaller(e) {
			later = append(later, e.ID)
			delete(s.recipients, *e.RecipientID)
		} else {
			now = append(now, e)
		}
	}
	if len(later) == 0 {
		return ended, nil
	}
	_, err = s.tx.Exec(ctx, `
		update call set settle_after = (select clock()) + make_interval(secs => $2) where id = any($1)`,
		later, askedGap.Seconds())
	if err != nil {
		return nil, fmt.Errorf("postpone the settlement of %d calls: %w", len(later), err)
	}
	return now, nil
}

func (s *settlement) waitsForCaller(e call.Ended) bool {
	if e.CampaignID == nil || e.RecipientID == nil {
		return false
	}
	c, r := s.campaigns[*e.CampaignID], s.recipients[*e.RecipientID]
	if c == nil || r == nil || r.LastCallID != e.ID || !r.Asked || r.AnsweredCallID != nil {
		return false
	}
	if e.EndedReason == call.ReasonOptedOut || final(e) == campaign.RecipientCompleted {
		return false
	}
	next, again := c.retry(e, r, s.now)
	if c.Standing {
		_, again = r.ownRetry(e, next, again)
	}
	expires := cmp.Or(c.ExpiresAt, r.ExpiresAt)
	over := c.Status.Terminal() || expires != nil && !expires.After(s.now)
	return !again || over
}

// resume completes the recipients who called us and answered what was left open, also those who had ended without it.
// The campaigns are locked, so the dialer claims no recipient meanwhile. If it claimed one before, the settlement of
// that call completes the recipient.
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
		Voicemail  bool // the last call ended with voicemail
		Planned    bool // the next call is scheduled
	}
	found, err := postgres.Collect(ctx, s.tx, pgx.RowToStructByName[recipient], `
		select id, campaign_id, attempts, status, outcome is not distinct from 'voicemail' as voicemail,
		       next_call_id is not null as planned
		from recipient
		where id = any($1) and (status in ('pending', 'dialing')
			or status in ('failed', 'completed') and answered_call_id is null)
		order by id for no key update`, ids)
	if err != nil {
		return fmt.Errorf("find recipients who called: %w", err)
	}
	for _, r := range found {
		c, by := s.campaigns[r.CampaignID], calls[r.ID]
		if c == nil {
			continue
		}
		if r.Status != campaign.RecipientDialing {
			if r.Planned {
				how := call.Unclaimed{Outcome: call.OutcomeCanceled, Reason: call.ReasonCalledBack}
				if err := call.EndScheduled(ctx, s.tx, []uuid.UUID{r.ID}, how); err != nil {
					return err
				}
			}
			s.results = append(s.results, &recipientResult{
				recipientRow: recipientRow{
					ID: r.ID, CampaignID: r.CampaignID, Attempts: r.Attempts, AnsweredCallID: &by,
				},
				status:  campaign.RecipientCompleted,
				outcome: string(call.OutcomeCompleted),
				known:   r.Status == campaign.RecipientCompleted,
			})
			switch r.Status {
			case campaign.RecipientPending:
				c.count(campaign.RecipientCompleted)
			case campaign.RecipientFailed:
				c.completed++
				c.failed--
			case campaign.RecipientCompleted:
				if r.Voicemail {
					c.byVoicemail--
				}
			}
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
