package call

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// Figures are the numbers of settled calls that were queued in the same hour. Only placed calls have an outcome.
type Figures struct {
	Completed, NoAnswer, Voicemail, Busy, Failed, Canceled int

	Placed   int // the carrier accepted them
	Reached  int // a person answered
	TalkTime time.Duration
	OptedOut int // the recipient opted out during the call
}

// Total is the number of calls.
func (f Figures) Total() int {
	return f.Completed + f.NoAnswer + f.Voicemail + f.Busy + f.Failed + f.Canceled
}

// By is the number of calls with an outcome.
func (f Figures) By(outcome Outcome) int {
	return map[Outcome]int{
		OutcomeCompleted: f.Completed, OutcomeNoAnswer: f.NoAnswer, OutcomeVoicemail: f.Voicemail,
		OutcomeBusy: f.Busy, OutcomeFailed: f.Failed, OutcomeCanceled: f.Canceled,
	}[outcome]
}

// Add adds other figures to f.
func (f *Figures) Add(g Figures) {
	f.Completed += g.Completed
	f.NoAnswer += g.NoAnswer
	f.Voicemail += g.Voicemail
	f.Busy += g.Busy
	f.Failed += g.Failed
	f.Canceled += g.Canceled
	f.Placed += g.Placed
	f.Reached += g.Reached
	f.TalkTime += g.TalkTime
	f.OptedOut += g.OptedOut
}

// Hour is the figures of one hour.
type Hour struct {
	StartsAt time.Time // a full hour in the organization's time zone
	Figures
}

// Scope limits figures to a project, a campaign, an agent or a number. A nil field is no limit. A call of
// its own has a project and an agent. Inbound calls are in no scope: see Received.
type Scope struct {
	ProjectID, CampaignID, AgentID, PhoneNumberID *uuid.UUID
}

// hours is the table with the hours of a scope.
func (scope Scope) hours() string {
	if scope == (Scope{}) {
		return `organization_hour`
	}
	return `call_hour`
}

// Hours returns the hours of an organization that begin at or after from and before to, oldest
// first. It leaves out hours without calls. It reads one row per hour, and in a scope one per hour,
// campaign and number, however many calls there are.
func (s *Service) Hours(
	ctx context.Context, organizationID uuid.UUID, scope Scope, from, to time.Time,
) ([]Hour, error) {
	where, args := scope.sql(organizationID, from, to)
	rows, err := s.pool.Query(ctx, `
		select starts_at, sum(completed)::int, sum(no_answer)::int, sum(voicemail)::int, sum(busy)::int,
			sum(failed)::int,
		       sum(canceled)::int, sum(placed)::int, sum(reached)::int, sum(talk_ms)::bigint, sum(opted_out)::int
		from `+scope.hours()+`
		where `+where+`
		group by starts_at
		order by starts_at`, args)
	if err != nil {
		return nil, fmt.Errorf("read hourly call figures: %w", err)
	}
	hours, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (h Hour, err error) {
		var talk int64
		err = row.Scan(&h.StartsAt, &h.Completed, &h.NoAnswer, &h.Voicemail, &h.Busy, &h.Failed,
			&h.Canceled, &h.Placed, &h.Reached, &talk, &h.OptedOut)
		h.TalkTime = time.Duration(talk) * time.Millisecond
		return h, err
	})
	if err != nil {
		return nil, fmt.Errorf("read hourly call figures: %w", err)
	}
	return hours, nil
}

// sqlNotPlaced is the array of NotPlacedReasons.
var sqlNotPlaced = func() string {
	names := make([]string, len(NotPlacedReasons))
	for i, r := range NotPlacedReasons {
		names[i] = string(r)
	}
	return `'{` + strings.Join(names, ",") + `}'::text[]`
}()

// sqlPlaced holds for an ended call c that the carrier accepted.
var sqlPlaced = `c.asked_at is not null and (c.ended_reason = any(` + sqlNotPlaced + `)) is not true`

// sqlHours counts outbound calls by hour, campaign and number. The condition that selects the calls follows it, and
// then sqlHoursAdd, which orders the rows so that two settlements never deadlock.
var sqlHours = `
	insert into call_hour as h (organization_id, campaign_id, phone_number_id, starts_at, completed, no_answer,
		voicemail, busy, failed, canceled, placed, reached, talk_ms, opted_out)
	select c.organization_id,
	       -- The hours of calls of their own are those of their standing campaign, which has their project and agent.
	       coalesce(c.campaign_id, (select r.campaign_id from recipient r where r.id = c.recipient_id)) as campaign_id,
	       c.phone_number_id, date_trunc('hour', c.created_at, o.time_zone),
	       count(*) filter (where p.outcome = 'completed'), count(*) filter (where p.outcome = 'no_answer'),
	       count(*) filter (where p.outcome = 'voicemail'), count(*) filter (where p.outcome = 'busy'),
	       count(*) filter (where p.outcome = 'failed'), count(*) filter (where p.outcome = 'canceled'),
	       count(p.outcome),
	       count(*) filter (where ` + sqlReached + `),
	       coalesce(sum((extract(epoch
		from c.ended_at - c.answered_at) * 1000)::bigint) filter (where c.outcome <> 'voicemail'), 0),
	       count(*) filter (where c.ended_reason = 'opted_out')
	from call c
	join organization o on o.id = c.organization_id
	cross join lateral (select case when ` + sqlPlaced + ` then c.outcome end as outcome) p
	where c.direction = 'outbound' and `

const sqlHoursAdd = `
	group by 1, 2, 3, 4
	order by 1, 4, 2, 3
	on conflict (organization_id, starts_at, campaign_id, phone_number_id) do update set
		completed = h.completed + excluded.completed, no_answer = h.no_answer + excluded.no_answer,
		voicemail = h.voicemail + excluded.voicemail, busy = h.busy + excluded.busy,
		failed = h.failed + excluded.failed, canceled = h.canceled + excluded.canceled,
		placed = h.placed + excluded.placed, reached = h.reached + excluded.reached,
		talk_ms = h.talk_ms + excluded.talk_ms, opted_out = h.opted_out + excluded.opted_out`

// Recount rebuilds the hours and the days of an organization, the days of its numbers and of its agents' versions, its
// results, and what it used of models, from its calls, after calls were inserted without being placed. No call may be
// settled meanwhile.
func Recount(ctx context.Context, db postgres.DB, organizationID uuid.UUID) error {
	const settled = `c.organization_id = $1 and c.settled_at is not null`
	batch := &pgx.Batch{}
	for _, sql := range []string{
		`delete from call_hour where organization_id = $1`, sqlHours + settled + sqlHoursAdd,
		`delete from phone_number_day where organization_id = $1`, sqlNumberDays + settled + sqlNumberDaysAdd,
		`delete from agent_version_day where organization_id = $1`,
		`delete from agent_version_timing where organization_id = $1`,
		`delete from model_day where organization_id = $1`, `delete from call_answer where organization_id = $1`,
		`delete from result_day where organization_id = $1`,
		`delete from call_day where organization_id = $1`, sqlCallDays + `organization_id = $1` + sqlCallDaysAdd,
	} {
		batch.Queue(sql, organizationID)
	}
	queueVersionDays(batch, settled, organizationID)
	queueResults(batch, settled, organizationID)
	if err := db.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("update the figures of calls: %w", err)
	}
	return nil
}
