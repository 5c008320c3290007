package dialer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// openFollowUps opens the follow-ups of the batch, and adds their events to out. It comes after apply, because it
// depends on whether an agent calls a recipient again.
func (s *settlement) openFollowUps(ctx context.Context, out *webhook.Outbox, ended []call.Ended) error {
	var needs []followup.Need
	var answered []uuid.UUID
	for _, e := range ended {
		if e.AnsweredAt != nil && e.EndedReason != call.ReasonOptedOut {
			answered = append(answered, e.ID)
		}
	}
	transfers, err := lastTransfers(ctx, s.tx, answered)
	if err != nil {
		return err
	}
	for _, e := range ended {
		if e.EndedReason == call.ReasonOptedOut {
			continue // who opted out is not contacted
		}
		last, transferred := transfers[e.ID]
		if transferred && !last.State.Connected() {
			needs = append(needs, followup.Need{
				CallID: e.ID, Kind: followup.TransferFailed, Reason: "Was not connected with " + last.Destination,
			})
		}
		switch e.Intent {
		case conversation.WantsHuman:
			if transferred {
				continue // to the person they asked for, or there is a follow-up of the transfer
			}
			needs = append(needs, followup.Need{
				CallID: e.ID, Kind: followup.WantsHuman, Reason: "Asked to talk to a person",
			})
		case conversation.CallBack:
			if why := s.noCallBack(e); why != "" {
				needs = append(needs, followup.Need{
					CallID: e.ID, Kind: followup.CallBack, Reason: "Asked to be called back. " + why,
					DueAt: e.CallBackAt,
				})
			}
		}
	}
	byRule, err := answersByRule(ctx, s.tx, answered)
	if err != nil {
		return err
	}
	if needs = append(needs, byRule...); len(needs) == 0 {
		return nil
	}
	if err := followup.Add(ctx, s.tx, out, needs); err != nil {
		return err
	}
	return out.Write(ctx, s.tx)
}

// noCallBack says why no agent calls a person back at the time that they asked for. It is empty if one does, and if
// nobody can tell because the recipient was erased.
func (s *settlement) noCallBack(e call.Ended) string {
	if e.CampaignID == nil || e.RecipientID == nil {
		return "The call belongs to no campaign"
	}
	c, r := s.campaigns[*e.CampaignID], s.recipients[*e.RecipientID]
	if c == nil || r == nil || r.LastCallID != e.ID {
		return ""
	}
	waits := r.status == campaign.RecipientPending && r.dueAt != nil
	switch {
	case c.Standing && c.action(e) != campaign.IntentCallBack:
		return "The call was requested without callbacks"
	case c.Standing && !waits:
		return "No attempt is left"
	case c.Status.Terminal() || c.ExpiresAt != nil && !c.ExpiresAt.After(s.now):
		return "The campaign has ended"
	case c.action(e) != campaign.IntentCallBack:
		return "The campaign does not call back"
	case !waits:
		return "No attempt is left"
	case c.ExpiresAt != nil && !r.dueAt.Before(*c.ExpiresAt):
		return "The campaign expires before that"
	case e.CallBackAt == nil:
		return "" // the agent calls at the next attempt
	case r.CallBacks > callBackMost:
		return "The agent calls again, but not at the requested time"
	case r.dueAt.After(*e.CallBackAt) && r.dueAt.After(s.now):
		return "The requested time is outside the calling hours. The agent calls when they open"
	}
	return ""
}

// transfer is where a call was transferred.
type transfer struct {
	CallID      uuid.UUID
	Destination string // the name
	State       call.TransferState
}

// lastTransfers returns the last transfer of each call that was transferred, by the ID of the call.
func lastTransfers(ctx context.Context, tx pgx.Tx, calls []uuid.UUID) (map[uuid.UUID]transfer, error) {
	if len(calls) == 0 {
		return nil, nil
	}
	all, err := postgres.Collect(ctx, tx, pgx.RowToStructByPos[transfer], `
		select distinct on (call_id) call_id, destination, state from call_transfer where call_id = any($1)
		order by call_id, number desc`, calls)
	if err != nil {
		return nil, fmt.Errorf("read the transfers of %d calls: %w", len(calls), err)
	}
	byCall := make(map[uuid.UUID]transfer, len(all))
	for _, t := range all {
		byCall[t.CallID] = t
	}
	return byCall, nil
}

// answersByRule returns the follow-ups of calls with an answer that its question has a rule for.
func answersByRule(ctx context.Context, tx pgx.Tx, calls []uuid.UUID) ([]followup.Need, error) {
	if len(calls) == 0 {
		return nil, nil
	}
	rows, err := tx.Query(ctx, `
		with used as (
			select id, agent_id, agent_version_id from call where id = any($1)
		), ruled as materialized (
			select v.id, v.script from agent_version v
			where v.id in (select agent_version_id from used) and v.script @? '$.questions[*].follow_up'
			union all
			select a.id, a.script from agent a
			where a.id in (select agent_id from used where agent_version_id is null)
				and a.script @? '$.questions[*].follow_up'
		)
		select c.id, coalesce(c.analysis -> 'answers', '{}') as answers, ruled.script -> 'questions' as questions
		from used join ruled on ruled.id = coalesce(used.agent_version_id, used.agent_id)
		join call c on c.id = used.id
		where c.analysis is not null
		order by c.id`, calls)
	if err != nil {
		return nil, fmt.Errorf("read the answers of %d calls: %w", len(calls), err)
	}
	var needs []followup.Need
	var id uuid.UUID
	var answers, questions json.RawMessage
	_, err = pgx.ForEachRow(rows, []any{&id, &answers, &questions}, func() error {
		var script conversation.Script
		given := map[string]any{}
		if err := json.Unmarshal(questions, &script.Questions); err != nil {
			return err
		}
		if err := json.Unmarshal(answers, &given); err != nil {
			return err
		}
		if matched := script.FollowUps(given); len(matched) > 0 {
			needs = append(needs, followup.Need{
				CallID: id, Kind: followup.Answer, Reason: conversation.FollowUpReason(matched),
			})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the answers of %d calls: %w", len(calls), err)
	}
	return needs, nil
}
