package call

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/conversation"
)

// mostAnswered is how many of the latest calls a filter of results by answer looks at. The sums of result_day do not
// tell which answers the same call gave, so these calls are read one by one.
const mostAnswered = 5_000

// resultSource is where results are summed from.
type resultSource struct {
	sql     string // rows of version_id, kind, key, value, calls and number, as in result_day
	args    pgx.NamedArgs
	limited bool // more calls may have the answers of the filter than were looked at
}

// sqlAround bounds calls to a day around the period of a ResultFilter, whatever the time zone: indexes have the times.
const sqlAround = `
	and (@from::date is null or r.created_at > @from::date - interval '1 day')
	and (@to::date is null or r.created_at < @to::date + interval '1 day')`

// resultSource returns where the results of a filter are summed from, and the questions that its calls were asked.
// Errors: Invalid.
func (s *Service) resultSource(
	ctx context.Context, organizationID uuid.UUID, f ResultFilter,
) ([]conversation.Question, resultSource, error) {
	questions, err := askedQuestions(ctx, s.pool, organizationID, f, 0)
	if err != nil {
		return nil, resultSource{}, err
	}
	if len(f.Answers) == 0 {
		where, args := f.sql(organizationID)
		return questions, resultSource{sql: `select * from result_day r where ` + where, args: args}, nil
	}
	calls, limited, err := s.answeredCalls(ctx, organizationID, f)
	if err != nil {
		return nil, resultSource{}, err
	}
	return questions, resultSource{
		limited: limited,
		args:    pgx.NamedArgs{"organization_id": organizationID, "calls": calls},
		sql: `
			select version_id, kind, key, value, 1 as calls, number from call_answer
			where organization_id = @organization_id and call_id = any(@calls)
			union all
			select c.agent_version_id, e.kind, '', e.value, 1,
			       (e.kind = '` + resultAttempt + `' and ` + sqlReached + `)::int
			from call c
			cross join lateral (values ('` + resultOutcome + `', c.outcome), ('` + resultIntent + `', c.intent),
				('` + resultAttempt + `', case when c.direction = 'outbound' then c.attempt::text end)) e (kind, value)
			where c.organization_id = @organization_id and c.id = any(@calls) and e.value is not null`,
	}, nil
}

// answeredCalls returns the latest calls of a filter that have its answers. limited reports that it did not look at
// earlier calls. Errors: Invalid.
func (s *Service) answeredCalls(
	ctx context.Context, organizationID uuid.UUID, f ResultFilter,
) (calls []uuid.UUID, limited bool, err error) {
	if err := (Filter{Answers: f.Answers}).check(); err != nil {
		return nil, false, err
	}
	of := ResultFilter{CampaignID: f.CampaignID, AgentID: f.AgentID}
	answers, err := ReadAnswers(ctx, s.pool, organizationID, of, f.Answers)
	if err != nil {
		return nil, false, err
	}
	where, args := f.sql(organizationID)
	args["most"] = mostAnswered
	conditions := answerConditions(args, `c.analysis -> 'answers'`, answers, of)
	given := make([]string, len(conditions))
	for i, c := range conditions {
		given[i] = "(" + c.analysis + ")"
	}
	var looked int
	err = s.pool.QueryRow(ctx, `
		with candidate as materialized (
			select a.call_id, a.created_at
			from (select distinct value from (`+conditions[0].value+`) v (value) where value is not null) v
			cross join lateral (
				select r.call_id, r.created_at from call_answer r
				where `+where+` and r.key = @answer_key_0 and r.value = v.value`+sqlAround+`
				order by r.created_at desc, r.call_id desc limit @most + 1) a
			order by a.created_at desc, a.call_id desc limit @most + 1
		)
		select (select count(*) from candidate), array(
			select c.id
			from (select call_id from candidate order by created_at desc, call_id desc limit @most) k
			join call c on c.id = k.call_id and c.organization_id = @organization_id
			where `+strings.Join(given, " and ")+`)`, args).Scan(&looked, &calls)
	if err != nil {
		return nil, false, fmt.Errorf("find calls with an answer: %w", err)
	}
	return calls, looked > mostAnswered, nil
}

// VersionResult is the results of the calls that followed a version of an agent.
type VersionResult struct {
	Version *int // nil: the draft
	Results
}

// mostVersions is how many versions VersionResults returns.
const mostVersions = 20

// VersionResults reads the results of a campaign or an agent for each of the latest versions that its calls followed,
// the newest first and the draft last. It reads the rows of Results. Errors: Invalid.
func (s *Service) VersionResults(
	ctx context.Context, organizationID uuid.UUID, f ResultFilter,
) ([]VersionResult, error) {
	f.AgentVersion = nil
	questions, from, err := s.resultSource(ctx, organizationID, f)
	if err != nil {
		return nil, err
	}
	from.args["most"] = mostVersions
	rows, err := s.pool.Query(ctx, `
		with r as materialized (`+from.sql+`), shown as (
			select i.version_id, v.number
			from (select distinct version_id from r) i
			left join agent_version v on v.id = i.version_id and v.organization_id = @organization_id
			order by v.number desc nulls last limit @most
		)
		select s.number, r.kind, r.key, r.value, sum(r.calls)::bigint, sum(r.number)::float8
		from shown s
		join r on r.version_id is not distinct from s.version_id
		group by 1, 2, 3, 4 having sum(r.calls) > 0
		order by 1 desc nulls last`, from.args)
	if err != nil {
		return nil, fmt.Errorf("read the results of versions: %w", err)
	}
	var all []VersionResult
	var sums [][]resultRow
	var version *int
	var row resultRow
	into := []any{&version, &row.Kind, &row.Key, &row.Value, &row.Calls, &row.Number}
	_, err = pgx.ForEachRow(rows, into, func() error {
		last := len(all) - 1
		if last < 0 || orZero(all[last].Version) != orZero(version) {
			all, sums = append(all, VersionResult{Version: version, Results: newResults()}), append(sums, nil)
			last++
		}
		sums[last] = append(sums[last], row)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the results of versions: %w", err)
	}
	for i := range all {
		all[i].fill(sums[i], questions)
	}
	return all, nil
}

// orZero is 0 for the draft, which no version has as its number.
func orZero(version *int) int {
	if version == nil {
		return 0
	}
	return *version
}

func newResults() Results {
	return Results{Outcomes: map[Outcome]int{}, Intents: map[conversation.Intent]int{}}
}
