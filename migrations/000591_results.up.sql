-- What a settled call answered, with the values that result_day counts. An erasure takes the call out of the sums by
-- these rows. Retention deletes only them: the sums stay, because they tell nothing about a person.
create table call_answer (
  call_id         uuid not null references call on delete cascade,
  organization_id uuid not null references organization on delete cascade,
  campaign_id     uuid, -- of an inbound call: whose open questions it asked
  agent_id        uuid not null,
  version_id      uuid, -- null: the draft
  day             date not null, -- of the organization's time zone
  kind            text not null, -- what the question expects, or questionnaire
  key             text not null, -- of the question; empty: whether all required questions were answered
  value           text, -- as answer_value returns it; null: asked, and not answered
  number          numeric not null default 0, -- of an answer that is a number
  created_at      timestamptz(3) not null, -- of the call
  primary key (call_id, key)
);
-- The calls of a campaign or of an agent with an answer, in the order of lists.
create index call_answer_campaign on call_answer (campaign_id, key, value, created_at desc, call_id desc)
  where campaign_id is not null;
create index call_answer_agent on call_answer (agent_id, key, value, created_at desc, call_id desc);

-- Sums over the settled calls of a version of an agent, in a campaign, on a day of the organization's time zone, by
-- value: outcomes and intents, placed calls by attempt (number: calls that a person answered), and answers by question
-- (number: the sum of answers that are numbers).
create table result_day (
  organization_id uuid not null references organization on delete cascade,
  campaign_id     uuid, -- null: calls without a campaign
  agent_id        uuid not null,
  version_id      uuid, -- null: the draft
  day             date not null,
  kind            text not null, -- outcome, intent, attempt, questionnaire, or what a question expects
  key             text not null, -- of the question, or empty
  value           text,          -- null: questions that were not answered
  calls           bigint not null,
  number          numeric not null,
  constraint result_day_unique unique nulls not distinct (agent_id, day, campaign_id, version_id, kind, key, value)
) with (fillfactor = 70);
create index result_day_campaign on result_day (campaign_id, day) where campaign_id is not null;

-- answer_value is the value by which an answer is counted. A question has a bounded number of them: numbers are rounded
-- down to two digits, times to the hour, dates far from the call to the year, and texts are not told apart.
create function answer_value(kind text, answer jsonb, day date) returns text language sql immutable parallel safe as $$
  select case
    when answer is null or jsonb_typeof(answer) = 'null' then null
    when jsonb_typeof(answer) = 'boolean' then answer #>> '{}'
    when jsonb_typeof(answer) = 'number' then (
      select trim_scale(floor(n / step) * step)::text
      from (select (answer #>> '{}')::numeric as n) a
      cross join lateral (select case when n = 0 then 1 else power(10::numeric, floor(log(abs(n))) - 1) end as step) s)
    when kind = 'choice' then answer #>> '{}'
    when kind = 'time' then left(answer #>> '{}', 2) || ':00'
    when kind = 'date' and answer #>> '{}' between (day - 31)::text and (day + 366)::text then answer #>> '{}'
    when kind = 'date' then left(answer #>> '{}', 4)
    else ''
  end
$$;

-- Calls so far. What was asked and not answered by a person who hung up is not known of them.
with settled as materialized (
  select c.id, c.organization_id, c.campaign_id, c.agent_id, c.agent_version_id, c.direction, c.outcome, c.intent,
         c.attempt, c.analysis, c.reception, c.created_at, coalesce(c.agent_version_id, c.agent_id) as script_id,
         (c.created_at at time zone o.time_zone)::date as day,
         c.direction = 'outbound' and c.asked_at is not null and (c.ended_reason in ('carrier_unavailable',
           'account_refused', 'country_refused', 'caller_refused', 'carrier_busy', 'not_placed', 'not_allowed',
           'check_failed', 'canceled_by_user', 'do_not_call', 'no_consent', 'expired', 'removed',
           'called_back')) is not true as placed,
         c.answered_at is not null and c.outcome <> 'voicemail' as reached,
         coalesce(c.campaign_id, (select r.campaign_id from recipient r
           where r.id = c.resumes_recipient_id and r.first_call_id is null)) as asked_for
  from call c join organization o on o.id = c.organization_id
  where c.settled_at is not null and c.agent_id is not null
), question as materialized (
  select s.script_id, q ->> 'key' as key, q ->> 'expect' as kind
  from (select distinct script_id, agent_id, agent_version_id from settled) s
  join agent a on a.id = s.agent_id
  left join agent_version v on v.id = s.agent_version_id
  cross join lateral jsonb_path_query(coalesce(v.script, a.script), '$.questions[*]') q
), given as materialized (
  select s.*, e.key, e.answer
  from settled s
  cross join lateral (
    select key, value as answer from jsonb_each(s.analysis -> 'answers')
    where (s.reception -> 'caller' -> 'answers' @> jsonb_build_array(
      jsonb_build_object('key', key, 'value', value))) is not true
    union all
    select '', coalesce(s.analysis -> 'successful', 'false') where s.analysis -> 'answers' <> '{}'
  ) e
  where s.reached and jsonb_typeof(s.analysis -> 'answers') = 'object'
), asked as (
  insert into call_answer (call_id, organization_id, campaign_id, agent_id, version_id, day, kind, key, value, number,
    created_at)
  select id, organization_id, asked_for, agent_id, agent_version_id, day, kind, key,
         case when key = '' then answer #>> '{}' else answer_value(kind, answer, day) end,
         case when jsonb_typeof(answer) = 'number' then (answer #>> '{}')::numeric else 0 end, created_at
  from (
    select g.*, case when g.key = '' then 'questionnaire' else coalesce(q.kind, case jsonb_typeof(g.answer)
             when 'boolean' then 'yes_no' when 'number' then 'number' else 'text' end) end as kind
    from given g
    left join question q on q.script_id = g.script_id and q.key = g.key
  ) g
  returning *
)
insert into result_day (organization_id, campaign_id, agent_id, version_id, day, kind, key, value, calls, number)
select organization_id, campaign_id, agent_id, version_id, day, kind, key, value, count(*), sum(number)
from asked group by 1, 2, 3, 4, 5, 6, 7, 8
union all
select s.organization_id, s.campaign_id, s.agent_id, s.agent_version_id, s.day, e.kind, '', e.value, count(*),
       count(*) filter (where e.kind = 'attempt' and s.reached)
from settled s
cross join lateral (values ('outcome', s.outcome), ('intent', s.intent),
  ('attempt', case when s.direction = 'outbound' then s.attempt::text end)) e (kind, value)
where (s.placed or s.direction = 'inbound') and e.value is not null
group by 1, 2, 3, 4, 5, 6, 8;

-- The hours of calls are also counted by the organization's number.
alter table call_hour add column phone_number_id uuid;
delete from call_hour;
alter table call_hour drop constraint call_hour_unique, add constraint call_hour_unique
  unique nulls not distinct (organization_id, starts_at, campaign_id, phone_number_id);
insert into call_hour (organization_id, campaign_id, phone_number_id, starts_at, completed, no_answer, voicemail, busy,
  failed, canceled, placed, reached, talk_ms, opted_out)
select c.organization_id,
       coalesce(c.campaign_id, (select r.campaign_id from recipient r where r.id = c.recipient_id)), c.phone_number_id,
       date_trunc('hour', c.created_at, o.time_zone),
       count(*) filter (where p.outcome = 'completed'), count(*) filter (where p.outcome = 'no_answer'),
       count(*) filter (where p.outcome = 'voicemail'), count(*) filter (where p.outcome = 'busy'),
       count(*) filter (where p.outcome = 'failed'), count(*) filter (where p.outcome = 'canceled'), count(p.outcome),
       count(*) filter (where c.answered_at is not null and c.outcome <> 'voicemail'),
       coalesce(sum((extract(epoch from c.ended_at - c.answered_at) * 1000)::bigint)
         filter (where c.outcome <> 'voicemail'), 0),
       count(*) filter (where c.ended_reason = 'opted_out')
from call c
join organization o on o.id = c.organization_id
cross join lateral (select case when c.asked_at is not null and (c.ended_reason in ('carrier_unavailable',
  'account_refused', 'country_refused', 'caller_refused', 'carrier_busy', 'not_placed', 'not_allowed',
  'check_failed', 'canceled_by_user', 'do_not_call', 'no_consent', 'expired', 'removed', 'called_back'))
  is not true then c.outcome end as outcome) p
where c.direction = 'outbound' and c.settled_at is not null
group by 1, 2, 3, 4;
