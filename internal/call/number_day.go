package call

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/wire"
)

// NumberStats are the figures of a phone number from which calls are placed. Days follow the
// organization's time zone, and the current day counts as a whole day.
type NumberStats struct {
	PhoneNumberID uuid.UUID
	CallsToday    int           // of a number in a pool: started; of any other number: placed, and settled
	MaxDailyCalls *int          // of the pool; nil: no limit
	RestsUntil    *time.Time    // by the pool's rule or after refusals; nil: it does not rest
	Week          NumberFigures // the last 7 days
	Month         NumberFigures // the last 30 days
}

// NumberFigures count the settled calls of a number.
type NumberFigures struct {
	Placed     int
	Reached    int // a person answered
	Answered   int // a person or a machine answered
	Received   int // calls to the number; they are not among the others
	ShortCalls int // answered, and over within six seconds, as carriers count them
}

// AnswerRate is the share of calls that a person answered, nil without a call.
func (f NumberFigures) AnswerRate() *float64 { return share(f.Reached, f.Placed) }

// ShortCallRate is the share of answered calls that were short, nil without an answered call.
func (f NumberFigures) ShortCallRate() *float64 { return share(f.ShortCalls, f.Answered) }

func share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	s := float64(n) / float64(of)
	return &s
}

// NumberStats reads the figures of active phone numbers. It reads one row per number and day,
// however many calls there are.
func (s *Service) NumberStats(
	ctx context.Context, organizationID uuid.UUID, ids ...uuid.UUID,
) (map[uuid.UUID]NumberStats, error) {
	rows, err := s.pool.Query(ctx, `
		select n.id,
		       case when n.number_pool_id is null then d.today
		            when n.calls_day = k.day then n.calls_on_day else 0 end,
		       p.max_daily_calls, r.until,
		       d.placed_7, d.reached_7, d.answered_7, d.short_7, d.received_7, d.placed, d.reached, d.answered, d.short,
		       d.received
		from (select clock() as now, (clock() at time zone time_zone)::date as day
		      from organization where id = @organization_id) k
		join phone_number n on n.organization_id = @organization_id and n.id = any(@ids) and n.deactivated_at is null
		left join number_pool p on p.id = n.number_pool_id
		left join caller_refusal f on f.phone_number_id = n.id and p.id is not null and f.times >= @most_refusals
		left join lateral (
			select greatest(case when p.rest_hours is not null then n.rest_until end, f.last_at + @refused_rest)
			       as until) r on r.until > k.now
		cross join lateral (
			select coalesce(sum(placed) filter (where day = k.day), 0)::int as today,
			       coalesce(sum(placed) filter (where day > k.day - 7), 0)::int as placed_7,
			       coalesce(sum(reached) filter (where day > k.day - 7), 0)::int as reached_7,
			       coalesce(sum(answered) filter (where day > k.day - 7), 0)::int as answered_7,
			       coalesce(sum(short_calls) filter (where day > k.day - 7), 0)::int as short_7,
			       coalesce(sum(received) filter (where day > k.day - 7), 0)::int as received_7,
			       coalesce(sum(received), 0)::int as received,
			       coalesce(sum(placed), 0)::int as placed, coalesce(sum(reached), 0)::int as reached,
			       coalesce(sum(answered), 0)::int as answered, coalesce(sum(short_calls), 0)::int as short
			from phone_number_day
			where phone_number_id = n.id and day > k.day - 30) d`,
		pgx.NamedArgs{
			"organization_id": organizationID, "ids": ids,
			"most_refusals": project.MostCallerRefusals, "refused_rest": project.RefusedRest,
		})
	if err != nil {
		return nil, fmt.Errorf("read the figures of phone numbers: %w", err)
	}
	all := make(map[uuid.UUID]NumberStats, len(ids))
	var n NumberStats
	_, err = pgx.ForEachRow(rows, []any{
		&n.PhoneNumberID, &n.CallsToday, &n.MaxDailyCalls, &n.RestsUntil,
		&n.Week.Placed, &n.Week.Reached, &n.Week.Answered, &n.Week.ShortCalls, &n.Week.Received,
		&n.Month.Placed, &n.Month.Reached, &n.Month.Answered, &n.Month.ShortCalls, &n.Month.Received,
	}, func() error {
		all[n.PhoneNumberID] = n
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the figures of phone numbers: %w", err)
	}
	return all, nil
}

// NumberStatsOf reads the figures of one phone number. Errors: NotFound.
func (s *Service) NumberStatsOf(ctx context.Context, organizationID, id uuid.UUID) (NumberStats, error) {
	all, err := s.NumberStats(ctx, organizationID, id)
	if err != nil {
		return NumberStats{}, err
	}
	n, found := all[id]
	if !found {
		return NumberStats{}, fault.NotFoundf("Phone number")
	}
	return n, nil
}

// NumberStatsResource is the figures of a phone number as the API shows them.
type NumberStatsResource struct {
	CallsToday    int                   `json:"calls_today"`
	MaxDailyCalls *int                  `json:"max_daily_calls"`
	RestsUntil    *wire.Time            `json:"rests_until"`
	Week          NumberFiguresResource `json:"last_7_days"`
	Month         NumberFiguresResource `json:"last_30_days"`
}

// NumberFiguresResource is the calls of a number in some days.
type NumberFiguresResource struct {
	Placed           int      `json:"placed"`
	AnsweredByPerson int      `json:"answered_by_person"`
	AnswerRate       *float64 `json:"answer_rate"`
	ShortCalls       int      `json:"short_calls"`
	ShortCallRate    *float64 `json:"short_call_rate"`
	Received         int      `json:"received"`
}

// Resource converts the figures.
func (n NumberStats) Resource() NumberStatsResource {
	figures := func(f NumberFigures) NumberFiguresResource {
		return NumberFiguresResource{
			Placed: f.Placed, AnsweredByPerson: f.Reached, AnswerRate: f.AnswerRate(),
			ShortCalls: f.ShortCalls, ShortCallRate: f.ShortCallRate(), Received: f.Received,
		}
	}
	return NumberStatsResource{
		CallsToday: n.CallsToday, MaxDailyCalls: n.MaxDailyCalls, RestsUntil: wire.Optional(n.RestsUntil),
		Week: figures(n.Week), Month: figures(n.Month),
	}
}

// Received returns how many calls people made to an organization's numbers on its days from and before to. Live calls
// are not counted yet. It reads one row per number and day.
func (s *Service) Received(ctx context.Context, organizationID uuid.UUID, from, to time.Time) (n int, err error) {
	where, args := sqlDays(organizationID, from, to)
	err = s.pool.QueryRow(ctx, `
		select coalesce(sum(received), 0)::int from phone_number_day where `+where, args).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count received calls: %w", err)
	}
	return n, nil
}

// sqlDays returns the condition that selects rows of phone_number_day, with its arguments. to is excluded.
func sqlDays(organizationID uuid.UUID, from, to time.Time) (where string, args pgx.NamedArgs) {
	return `organization_id = @organization_id and day >= @from::date and day < @to::date`, pgx.NamedArgs{
		"organization_id": organizationID, "from": from.Format(time.DateOnly), "to": to.Format(time.DateOnly),
	}
}

// sqlNumberDays counts calls by number and day. The condition that selects the calls follows it, and
// then sqlNumberDaysAdd, which orders the rows so that two settlements never deadlock.
var sqlNumberDays = `
	insert into phone_number_day as d (organization_id, phone_number_id, day, placed, reached, answered, short_calls,
		received)
	select c.organization_id, c.phone_number_id, (c.created_at at time zone o.time_zone)::date,
	       count(*) filter (where c.direction = 'outbound' and ` + sqlPlaced + `),
	       count(*) filter (where c.direction = 'outbound' and c.answered_at is not null and c.outcome <> 'voicemail'),
	       count(c.answered_at) filter (where c.direction = 'outbound'),
	       count(*) filter (where c.direction = 'outbound' and c.ended_at - c.answered_at <= interval '6 seconds'),
	       count(*) filter (where c.direction = 'inbound')
	from call c
	join organization o on o.id = c.organization_id
	where `

const sqlNumberDaysAdd = `
	group by 1, 2, 3
	order by 2, 3
	on conflict (phone_number_id, day) do update set
		placed = d.placed + excluded.placed, reached = d.reached + excluded.reached,
		answered = d.answered + excluded.answered, short_calls = d.short_calls + excluded.short_calls,
		received = d.received + excluded.received`
