package dialer

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/followup"
	"github.com/dialwright/dialwright/internal/hours"
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
	promised, err := s.promised(ctx, ended)
	if err != nil {
		return err
	}
	for _, e := range ended {
		if e.EndedReason == call.ReasonOptedOut {
			continue // who opted out is not contacted
		}
		last, transferred := transfers[e.ID]
		failed := transferred && !last.State.Connected()
		need := followup.Need{CallID: e.ID}
		switch e.Intent {
		case conversation.WantsHuman:
			if !transferred { // otherwise they talked to a person, or the follow-up is that of the transfer
				need.Kind, need.Reason = followup.WantsHuman, "Asked to talk to a person"
			}
		case conversation.CallBack:
			why := s.noCallBack(e)
			if p, by := promised[e.ID]; by {
				need.Kind, need.DueAt = followup.CallBack, p.at
				need.Reason = "Asked to be called back by a person" + p.words()
			} else if why != "" {
				need.Kind, need.DueAt = followup.CallBack, e.CallBackAt
				need.Reason = "Asked to be called back. " + why
			}
		}
		if failed { // one need has one follow-up
			need.Kind = followup.TransferFailed
			need.Reason = joined("Was not connected with "+last.Destination, need.Reason)
		}
		if left := conversation.NeedsReason(e.Needs); left != "" && (failed || !transferred) {
			if need.Kind == "" {
				need.Kind = followup.Unsure
			}
			need.Reason = joined(strings.TrimSuffix(need.Reason, "."), left)
		}
		if need.Kind != "" {
			needs = append(needs, need)
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
		return noCallsLeft
	case c.Status.Terminal() || c.ExpiresAt != nil && !c.ExpiresAt.After(s.now):
		return "The campaign has ended"
	case c.action(e) != campaign.IntentCallBack:
		return "The campaign does not call back"
	case !waits:
		return noCallsLeft
	case c.ExpiresAt != nil && !r.dueAt.Before(*c.ExpiresAt):
		return "The campaign expires before that"
	case e.CallBackAt == nil:
		return "" // the agent calls at the next attempt
	case r.CallBacks > callBackMost:
		return "The agent calls again, but not at the requested time"
	case r.dueAt.After(*e.CallBackAt) && r.dueAt.After(s.now) &&
		!(e.Leeway.AnyTime() && sameDay(*r.dueAt, *e.CallBackAt, zoneOf(r.Zones))):
		return "The requested time is outside the calling hours. The agent calls when they open"
	}
	return ""
}

// noCallsLeft is why no agent calls a recipient whose attempts are used up.
const noCallsLeft = "The maximum number of calls to this recipient is reached"

// promise is a call that a person has to make, because the agent said that somebody calls.
type promise struct {
	asked  *time.Time // the time that the person wants; nil: no particular time
	leeway conversation.Leeway
	at     *time.Time // asked, or the first time after it within calling hours
	zone   *time.Location
}

// words are what the person asked for, in the time zone of the recipient. What the person left open is the product's
// choice, so it is not among them.
func (p promise) words() string {
	if p.asked == nil {
		return ""
	}
	words := " " + p.leeway.Words(p.asked.In(p.zone))
	if p.leeway == conversation.NoLeeway {
		words += " (" + p.zone.String() + ")"
	}
	return words
}

// promised returns the calls that people have to make, by the ID of the call in which the agent said so.
func (s *settlement) promised(ctx context.Context, ended []call.Ended) (map[uuid.UUID]promise, error) {
	asked := map[uuid.UUID]call.Ended{}
	var ids []uuid.UUID
	for _, e := range ended {
		if e.ByPerson && e.Intent == conversation.CallBack && e.EndedReason != call.ReasonOptedOut {
			asked[e.ID], ids = e, append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	// A call that belongs to no list has the calling hours of its project.
	rows, err := s.tx.Query(ctx, `
		select c.id, coalesce(k.calling_hours, p.calling_hours), coalesce(r.zones, array[p.time_zone])
		from call c
		join project p on p.id = c.project_id
		left join recipient r on r.id = c.recipient_id
		left join campaign k on k.id = r.campaign_id
		where c.id = any($1)`, ids)
	if err != nil {
		return nil, fmt.Errorf("read the calling hours of %d calls: %w", len(ids), err)
	}
	all := make(map[uuid.UUID]promise, len(ids))
	var id uuid.UUID
	var callingHours json.RawMessage
	var zones []string
	_, err = pgx.ForEachRow(rows, []any{&id, &callingHours, &zones}, func() error {
		e := asked[id]
		p := promise{asked: e.CallBackAt, leeway: e.Leeway, at: e.CallBackAt, zone: zoneOf(zones)}
		if schedule, err := scheduleOf(callingHours, zones); err == nil && p.at != nil {
			from := *p.at
			if e.Leeway.AnyTime() {
				from = dayOf(schedule, from, p.zone)
			}
			p.at = ptrTo(campaign.Opening(schedule, from))
		}
		all[id] = p
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the calling hours of %d calls: %w", len(ids), err)
	}
	return all, nil
}

// zoneOf returns the zone by which a recipient's days are counted.
func zoneOf(zones []string) *time.Location {
	for _, name := range zones {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return time.UTC
}

// dayOf is when the day of a time begins. A day on which calls may be placed all night has no first hour, so the time
// itself counts then.
func dayOf(schedule *hours.Schedule, t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	if midnight := time.Date(y, m, d, 0, 0, 0, 0, zone); !schedule.Open(midnight) {
		return midnight
	}
	return t
}

// sameDay reports whether two times are on one day of a zone.
func sameDay(a, b time.Time, zone *time.Location) bool {
	return a.In(zone).Format(time.DateOnly) == b.In(zone).Format(time.DateOnly)
}

// joined joins two sentences, each of which may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ". " + b
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
		select c.id, coalesce(c.analysis -> 'answers', '{}') as answers, ruled.script -> 'questions' as questions,
		       c.variables, coalesce(c.agent_name, a.name, ''), o.name, c.recipient_name, c.person_number,
		       coalesce(c.call_reason, '')
		from used join ruled on ruled.id = coalesce(used.agent_version_id, used.agent_id)
		join call c on c.id = used.id
		join organization o on o.id = c.organization_id
		left join agent a on a.id = c.agent_id
		where c.analysis is not null
		order by c.id`, calls)
	if err != nil {
		return nil, fmt.Errorf("read the answers of %d calls: %w", len(calls), err)
	}
	var needs []followup.Need
	var id uuid.UUID
	var answers, questions, variables json.RawMessage
	var known conversation.Known
	_, err = pgx.ForEachRow(rows, []any{
		&id, &answers, &questions, &variables, &known.Agent, &known.Organization, &known.Name, &known.PhoneNumber,
		&known.Reason,
	}, func() error {
		var script conversation.Script
		given, vars := map[string]any{}, map[string]any{}
		if err := json.Unmarshal(questions, &script.Questions); err != nil {
			return err
		}
		if err := json.Unmarshal(answers, &given); err != nil {
			return err
		}
		if err := json.Unmarshal(variables, &vars); err != nil {
			return err
		}
		if matched := script.FollowUps(given, known.Variables(vars)); len(matched) > 0 {
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
