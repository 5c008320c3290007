package call

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Kinds of the rows of result_day, besides what a question expects.
const (
	resultOutcome       = "outcome"
	resultIntent        = "intent"
	resultAttempt       = "attempt"       // placed calls by attempt; their number is how many reached a person
	resultQuestionnaire = "questionnaire" // calls that asked a question, by whether all required ones were answered
)

// sqlReached holds for an ended call c that a person answered.
const sqlReached = `c.answered_at is not null and c.outcome <> 'voicemail'`

// queueResults adds settled calls to the sums of outcomes, intents, attempts and answers. condition selects the calls,
// and arg is its argument. An answer that an inbound call has from an earlier call counts once, with the earlier one.
func queueResults(batch *pgx.Batch, condition string, arg any) {
	batch.Queue(`
		with settled as materialized (
			select c.id, c.organization_id, c.campaign_id, c.agent_id, c.agent_version_id, c.direction, c.outcome,
			       c.intent, c.attempt, c.analysis, c.created_at,
			       coalesce(c.agent_version_id, c.agent_id) as script_id,
			       (c.created_at at time zone o.time_zone)::date as day,
			       c.direction = 'outbound' and `+sqlPlaced+` as placed, `+sqlReached+` as reached,
			       coalesce(c.campaign_id, (select r.campaign_id from recipient r
			         where r.id = c.resumes_recipient_id and r.first_call_id is null)) as asked_for
			from call c join organization o on o.id = c.organization_id
			where c.agent_id is not null and `+condition+`
		), question as materialized (
			select s.script_id, q ->> 'key' as key, q ->> 'expect' as kind
			from (select distinct script_id, agent_id, agent_version_id from settled where reached) s
			join agent a on a.id = s.agent_id
			left join agent_version v on v.id = s.agent_version_id
			cross join lateral jsonb_path_query(coalesce(v.script, a.script), '$.questions[*]') q
		), given as materialized (
			select s.*, e.key, e.answer
			from settled s
			cross join lateral (
				select key, s.analysis -> 'answers' -> key as answer
				from jsonb_array_elements_text(s.analysis -> 'asked') key
				union all -- an analysis without a list of what was asked has the answers
				select key, value from jsonb_each(s.analysis -> 'answers') where not s.analysis ? 'asked'
				union all
				select '', coalesce(s.analysis -> 'successful', 'false')
				where case when s.analysis ? 'asked' then s.analysis -> 'asked' else s.analysis -> 'answers' end
					not in ('[]', '{}')
			) e
			where s.reached and jsonb_typeof(s.analysis -> 'answers') = 'object'
		), asked as (
			insert into call_answer (call_id, organization_id, campaign_id, agent_id, version_id, day, kind, key,
				value, number, created_at)
			select id, organization_id, asked_for, agent_id, agent_version_id, day, kind, key,
			       case when key = '' then answer #>> '{}' else answer_value(kind, answer, day) end,
			       case when jsonb_typeof(answer) = 'number' then (answer #>> '{}')::numeric else 0 end, created_at
			from (
				select g.*, case when g.key = '' then '`+resultQuestionnaire+`' else coalesce(q.kind,
				         case jsonb_typeof(g.answer) when 'boolean' then 'yes_no' when 'number' then 'number'
				         else 'text' end) end as kind
				from given g
				left join question q on q.script_id = g.script_id and q.key = g.key
			) g
			returning *
		)
		`+sqlAddResults(`
			select organization_id, campaign_id, agent_id, version_id, day, kind, key, value, count(*), sum(number)
			from asked group by 1, 2, 3, 4, 5, 6, 7, 8
			union all
			select s.organization_id, s.campaign_id, s.agent_id, s.agent_version_id, s.day, e.kind, '', e.value,
			       count(*), count(*) filter (where e.kind = '`+resultAttempt+`' and s.reached)
			from settled s
			cross join lateral (values ('`+resultOutcome+`', s.outcome), ('`+resultIntent+`', s.intent),
				('`+resultAttempt+`', case when s.direction = 'outbound' then s.attempt::text end)) e (kind, value)
			where (s.placed or s.direction = 'inbound') and e.value is not null
			group by 1, 2, 3, 4, 5, 6, 8`), arg)
}

// queueUncountAnswers takes the answers of calls out of the sums.
func queueUncountAnswers(batch *pgx.Batch, calls []uuid.UUID) {
	batch.Queue(uncountQuestionnaires, calls)
	batch.Queue(`
		with asked as (delete from call_answer where call_id = any($1) returning *)
		`+sqlAddResults(`
			select organization_id, campaign_id, agent_id, version_id, day, kind, key, value, -count(*), -sum(number)
			from asked group by 1, 2, 3, 4, 5, 6, 7, 8`), calls)
}

// forgetAnswers removes what calls answered and leaves the sums, which tell nothing about a person.
const forgetAnswers = `delete from call_answer where call_id = any($1)`

// sqlAddResults adds rows to result_day, in an order in which two transactions never deadlock.
func sqlAddResults(rows string) string {
	return `
		insert into result_day as d (organization_id, campaign_id, agent_id, version_id, day, kind, key, value, calls,
			number)
		select * from (` + rows + `) r
		order by 3, 5, 2 nulls first, 4 nulls first, 6, 7, 8 nulls first
		on conflict on constraint result_day_unique do update set
			calls = d.calls + excluded.calls, number = d.number + excluded.number`
}
