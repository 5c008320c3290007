package call

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/money"
)

// DayFigures are sums of settled outbound calls over days of the organization.
type DayFigures struct {
	Placed     int
	Reached    int // a person answered
	Answered   int // a person or a machine answered
	ShortCalls int // answered, and over within six seconds, as carriers count them
	TalkTime   time.Duration
	Asked      int // calls that asked at least one question, also of recipients who called back
	Completed  int // calls in which all required questions were answered
}

// GroupFigures are the figures of a campaign, an agent or a number. Those of a number have no talk time, no answers and
// no costs.
type GroupFigures struct {
	ID   uuid.UUID
	Name string // of a number: E.164
	DayFigures
	Costs   []DayCost // the highest first
	Sandbox bool      // of a number: its calls can run faster than real time, so short ones say nothing
}

// Comparison is the figures of a scope in a period, by campaign, agent and attempt.
type Comparison struct {
	Campaigns []GroupFigures // the latest
	Agents    []GroupFigures // most calls first
	Attempts  []AttemptResult
}

// DayCost is the known cost of calls in one currency.
type DayCost struct {
	Currency  string
	Amount    string // an exact decimal
	Calls     int    // with a known cost
	Completed int    // of them, with the outcome completed
}

// PerQuestionnaire returns what each call with all answers cost, or "" without one. Costs arrive later than answers. As
// long as some of the placed calls have none, it is estimated: a person reached costs as much as in the calls with a
// known cost.
func (c DayCost) PerQuestionnaire(placed, reached, questionnaires int) string {
	if c.Calls < placed {
		return money.Share(c.Amount, reached, c.Completed*questionnaires)
	}
	return money.Each(c.Amount, questionnaires)
}

// days returns the condition that selects the rows of call_day and cost_day of a scope and a period, and its arguments.
// from and to are midnights of the organization; to is excluded. Without a number, the rows are those of all numbers.
func (scope Scope) days(organizationID uuid.UUID, from, to time.Time) (where string, args pgx.NamedArgs) {
	where, args = scope.numberDays(organizationID, from, to)
	if scope.PhoneNumberID == nil {
		return where + ` and phone_number_id is null`, args
	}
	return where, args
}

// numberDays is days, but without a number the rows are those of each number and those of all.
func (scope Scope) numberDays(organizationID uuid.UUID, from, to time.Time) (where string, args pgx.NamedArgs) {
	where, args = sqlDays(organizationID, from, to)
	for _, of := range []struct {
		column string
		id     *uuid.UUID
	}{
		{"project_id", scope.ProjectID}, {"campaign_id", scope.CampaignID}, {"agent_id", scope.AgentID},
		{"phone_number_id", scope.PhoneNumberID},
	} {
		if of.id != nil {
			where += ` and ` + of.column + ` = @` + of.column
			args[of.column] = of.id
		}
	}
	return where, args
}

// sqlDayFigures are the columns of DayFigures in a sum over call_day.
const sqlDayFigures = `sum(placed)::int as placed, sum(reached)::int as reached, sum(answered)::int as answered,
	sum(short_calls)::int as short_calls, sum(talk_ms)::bigint as talk_ms, sum(asked)::int as asked,
	sum(completed)::int as completed`

// Compare returns the figures of the campaigns, the agents and the attempts of a scope that placed calls in a period,
// at most that many campaigns and agents. It reads one row per campaign, agent, attempt and day, however many calls and
// numbers there are.
func (s *Service) Compare(
	ctx context.Context, organizationID uuid.UUID, scope Scope, from, to time.Time, campaigns, agents int,
) (Comparison, error) {
	where, args := scope.days(organizationID, from, to)
	args["campaigns"], args["agents"] = campaigns, agents
	rows, err := s.pool.Query(ctx, `
		with sums as materialized (
			select campaign_id, agent_id, attempt, `+sqlDayFigures+`
			from call_day where `+where+`
			group by grouping sets ((campaign_id), (agent_id), (attempt)) having sum(placed) > 0
		), named as (
			(select 1 as kind, c.id, c.name, row_number() over (order by c.created_at desc, c.id desc) as place, s.*
			 from sums s join campaign c on c.id = s.campaign_id and c.organization_id = @organization_id
			 order by place limit @campaigns)
			union all
			(select 2, a.id, a.name, row_number() over (order by s.placed desc, a.id) as place, s.*
			 from sums s join agent a on a.id = s.agent_id and a.organization_id = @organization_id
			 order by place limit @agents)
			union all
			select 3, null, '', attempt, s.* from sums s where attempt is not null
		)
		select kind, id, name, place, placed, reached, answered, short_calls, talk_ms, asked, completed
		from named order by kind, place`, args)
	if err != nil {
		return Comparison{}, fmt.Errorf("compare calls: %w", err)
	}
	var all Comparison
	var kind, place int
	var id *uuid.UUID
	var talk int64
	var g GroupFigures
	_, err = pgx.ForEachRow(rows, []any{
		&kind, &id, &g.Name, &place, &g.Placed, &g.Reached, &g.Answered, &g.ShortCalls, &talk, &g.Asked, &g.Completed,
	}, func() error {
		if id == nil {
			all.Attempts = append(all.Attempts, AttemptResult{place, g.Placed, g.Reached})
			return nil
		}
		g.ID, g.TalkTime = *id, time.Duration(talk)*time.Millisecond
		if kind == 1 {
			all.Campaigns = append(all.Campaigns, g)
		} else {
			all.Agents = append(all.Agents, g)
		}
		return nil
	})
	if err != nil {
		return Comparison{}, fmt.Errorf("compare calls: %w", err)
	}
	return all, s.addCosts(ctx, where, args, &all)
}

// addCosts adds what the outbound calls of the campaigns and the agents cost. where selects the rows of cost_day.
func (s *Service) addCosts(ctx context.Context, where string, args pgx.NamedArgs, all *Comparison) error {
	rows, err := s.pool.Query(ctx, `
		select coalesce(campaign_id, agent_id), currency, trim_scale(sum(amount))::text,
		       sum(calls)::int, sum(completed)::int
		from cost_day where `+where+` and direction = 'outbound'
		group by grouping sets ((campaign_id, currency), (agent_id, currency))
		having sum(calls) > 0 and coalesce(campaign_id, agent_id) is not null
		order by sum(amount) desc, currency`, args)
	if err != nil {
		return fmt.Errorf("compare costs: %w", err)
	}
	costs := map[uuid.UUID][]DayCost{}
	var id uuid.UUID
	var c DayCost
	_, err = pgx.ForEachRow(rows, []any{&id, &c.Currency, &c.Amount, &c.Calls, &c.Completed}, func() error {
		costs[id] = append(costs[id], c)
		return nil
	})
	if err != nil {
		return fmt.Errorf("compare costs: %w", err)
	}
	for i, g := range all.Campaigns {
		all.Campaigns[i].Costs = costs[g.ID]
	}
	for i, g := range all.Agents {
		all.Agents[i].Costs = costs[g.ID]
	}
	return nil
}

// ProjectMonth is a month of a project.
type ProjectMonth struct {
	ProjectID uuid.UUID
	Month     string // as MonthLayout
}

// TalkTimes returns how long people talked in the calls of a scope in a period, by project and month. It reads the rows
// of Compare.
func (s *Service) TalkTimes(
	ctx context.Context, organizationID uuid.UUID, scope Scope, from, to time.Time,
) (map[ProjectMonth]time.Duration, error) {
	where, args := scope.days(organizationID, from, to)
	rows, err := s.pool.Query(ctx, `
		select project_id, to_char(day, 'YYYY-MM'), sum(talk_ms)::bigint
		from (select project_id, day, sum(talk_ms) as talk_ms from call_day where `+where+` group by 1, 2) days
		group by 1, 2`, args)
	if err != nil {
		return nil, fmt.Errorf("sum talk times: %w", err)
	}
	times := map[ProjectMonth]time.Duration{}
	var of ProjectMonth
	var talk int64
	_, err = pgx.ForEachRow(rows, []any{&of.ProjectID, &of.Month, &talk}, func() error {
		times[of] = time.Duration(talk) * time.Millisecond
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("sum talk times: %w", err)
	}
	return times, nil
}

// NumberFigures returns the figures of the numbers of a scope that placed calls in a period, most calls first, at most
// most numbers. Without a scope, it reads one row per number and day, which also count calls of deleted campaigns, as
// on the page of the number. In a scope it reads one per number, campaign, agent, attempt and day.
func (s *Service) NumberFigures(
	ctx context.Context, organizationID uuid.UUID, scope Scope, from, to time.Time, most int,
) ([]GroupFigures, error) {
	source := `call_day`
	where, args := scope.numberDays(organizationID, from, to)
	where += ` and phone_number_id is not null`
	if scope == (Scope{}) {
		source = `phone_number_day`
		where, args = sqlDays(organizationID, from, to)
	}
	args["most"] = most
	rows, err := s.pool.Query(ctx, `
		select n.id, n.phone_number, d.placed, d.reached, d.answered, d.short_calls, k.kind = 'sandbox'
		from (
			select phone_number_id, sum(placed)::int as placed, sum(reached)::int as reached,
			       sum(answered)::int as answered, sum(short_calls)::int as short_calls
			from `+source+` where `+where+` group by 1 having sum(placed) > 0
			order by 2 desc, 1 limit @most) d
		join phone_number n on n.id = d.phone_number_id and n.organization_id = @organization_id
		join connection k on k.id = n.connection_id
		order by d.placed desc, n.id`, args)
	if err != nil {
		return nil, fmt.Errorf("sum calls by phone number: %w", err)
	}
	var all []GroupFigures
	var g GroupFigures
	into := []any{&g.ID, &g.Name, &g.Placed, &g.Reached, &g.Answered, &g.ShortCalls, &g.Sandbox}
	_, err = pgx.ForEachRow(rows, into, func() error {
		all = append(all, g)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("sum calls by phone number: %w", err)
	}
	return all, nil
}

// sqlCallDays adds settled calls to call_day. The condition that selects the calls of the view call_figures follows it,
// and then sqlCallDaysAdd, which orders the rows so that two settlements never deadlock.
const sqlCallDays = `
	insert into call_day as d (organization_id, project_id, campaign_id, agent_id, phone_number_id, day, attempt,
		placed, reached, answered, short_calls, talk_ms, asked, completed)
	select organization_id, project_id, campaign_id, agent_id, n.phone_number_id, day, attempt, sum(placed),
	       sum(reached), sum(answered), sum(short_calls), sum(talk_ms), sum(asked), sum(completed)
	from call_figures f
	cross join lateral (values (null::uuid), (f.phone_number_id)) n (phone_number_id)
	where placed + asked > 0 and `

const sqlCallDaysAdd = `
	group by 1, 2, 3, 4, 5, 6, 7
	order by 1, 5 nulls first, 6, 3 nulls first, 4, 2, 7
	on conflict on constraint call_day_unique do update set
		placed = d.placed + excluded.placed, reached = d.reached + excluded.reached,
		answered = d.answered + excluded.answered, short_calls = d.short_calls + excluded.short_calls,
		talk_ms = d.talk_ms + excluded.talk_ms, asked = d.asked + excluded.asked,
		completed = d.completed + excluded.completed`

// addsCallDays tells a trigger that this program itself adds the calls that the transaction settles to call_day.
const addsCallDays = `select set_config('dialwright.adds_call_days', 'yes', true)`

// uncountQuestionnaires takes what calls answered out of call_day, as long as call_answer has it.
const uncountQuestionnaires = `
	insert into call_day as d (organization_id, project_id, campaign_id, agent_id, phone_number_id, day, attempt,
		placed, reached, answered, short_calls, talk_ms, asked, completed)
	select f.organization_id, f.project_id, f.campaign_id, f.agent_id, n.phone_number_id, a.day, f.attempt, 0, 0, 0, 0,
	       0, -count(*), -count(*) filter (where a.value = 'true')
	from call_answer a
	join call_figures f on f.call_id = a.call_id
	cross join lateral (values (null::uuid), (f.phone_number_id)) n (phone_number_id)
	where a.call_id = any($1) and a.key = ''` + sqlCallDaysAdd
