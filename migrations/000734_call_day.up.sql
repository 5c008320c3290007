-- What a settled outbound call adds to call_day. A person who calls back and is asked what a campaign left open adds
-- the answers only, under attempt 0.
create view call_figures as
select c.id as call_id, c.organization_id, c.project_id,
       coalesce(c.campaign_id, (select r.campaign_id from recipient r
         where r.id = c.resumes_recipient_id and r.first_call_id is null)) as campaign_id,
       c.agent_id, c.phone_number_id, (c.created_at at time zone o.time_zone)::date as day,
       case when d.outbound then c.attempt else 0 end as attempt,
       (d.outbound and p.placed)::int as placed, (d.outbound and p.reached)::int as reached,
       (d.outbound and c.answered_at is not null)::int as answered,
       coalesce(d.outbound and c.ended_at - c.answered_at <= interval '6 seconds', false)::int as short_calls,
       case when d.outbound and p.reached then (extract(epoch from c.ended_at - c.answered_at) * 1000)::bigint else 0
       end as talk_ms,
       q.asked::int as asked, (q.asked and coalesce((c.analysis -> 'successful')::boolean, false))::int as completed
from call c
join organization o on o.id = c.organization_id
cross join lateral (select c.direction = 'outbound' as outbound) d
cross join lateral (
  select c.asked_at is not null and (c.ended_reason in ('carrier_unavailable', 'account_refused', 'country_refused',
           'caller_refused', 'carrier_busy', 'not_placed', 'not_allowed', 'check_failed', 'canceled_by_user',
           'do_not_call', 'no_consent', 'expired', 'removed', 'called_back')) is not true as placed,
         c.answered_at is not null and c.outcome <> 'voicemail' as reached) p
cross join lateral (
  select p.reached and jsonb_typeof(c.analysis -> 'answers') = 'object'
         and case when c.analysis ? 'asked' then c.analysis -> 'asked' else c.analysis -> 'answers' end
           not in ('[]', '{}') as asked) a
cross join lateral (select coalesce(a.asked, false) as asked) q
where c.settled_at is not null and c.agent_id is not null
  and (d.outbound or c.resumes_recipient_id is not null);

-- The figures of calls by campaign, agent, number, attempt and the organization's day, for pages that compare them in
-- any period. The rows without a number are the sums of all numbers, so that a pool of numbers is no slower to read.
create table call_day (
  organization_id uuid not null references organization on delete cascade,
  project_id      uuid not null,
  campaign_id     uuid,             -- null: calls without a campaign
  agent_id        uuid not null,
  phone_number_id uuid,             -- null: all numbers
  day             date not null,    -- when the calls were queued
  attempt         integer not null, -- 0: recipients who called back
  placed          integer not null,
  reached         integer not null, -- a person answered
  answered        integer not null, -- a person or a machine answered
  short_calls     integer not null, -- answered, and over within six seconds
  talk_ms         bigint not null,  -- of the calls that a person answered
  asked           integer not null, -- asked at least one question
  completed       integer not null, -- all required questions were answered
  constraint call_day_unique unique nulls not distinct
    (organization_id, phone_number_id, day, campaign_id, agent_id, project_id, attempt)
) with (fillfactor = 70);
create index call_day_number on call_day (organization_id, day) where phone_number_id is not null;
create index call_day_campaign on call_day (campaign_id) where campaign_id is not null;

insert into call_day
select organization_id, project_id, campaign_id, agent_id, n.phone_number_id, day, attempt, sum(placed), sum(reached),
       sum(answered), sum(short_calls), sum(talk_ms), sum(asked), sum(completed)
from call_figures f
cross join lateral (values (null::uuid), (f.phone_number_id)) n (phone_number_id)
where placed + asked > 0
group by 1, 2, 3, 4, 5, 6, 7;

-- Programs from this version on add what they settle and say so. This adds what an older one settles during an upgrade.
create function add_call_day() returns trigger language plpgsql set search_path from current as $$
begin
  insert into call_day as d
  select organization_id, project_id, campaign_id, agent_id, n.phone_number_id, day, attempt, placed, reached, answered,
         short_calls, talk_ms, asked, completed
  from call_figures f
  cross join lateral (values (null::uuid), (f.phone_number_id)) n (phone_number_id)
  where call_id = new.id and placed + asked > 0
  on conflict on constraint call_day_unique do update set
    placed = d.placed + excluded.placed, reached = d.reached + excluded.reached,
    answered = d.answered + excluded.answered, short_calls = d.short_calls + excluded.short_calls,
    talk_ms = d.talk_ms + excluded.talk_ms, asked = d.asked + excluded.asked,
    completed = d.completed + excluded.completed;
  return null;
end $$;
create trigger call_settled after update of settled_at on call for each row
  when (old.settled_at is null and new.settled_at is not null
    and current_setting('dialwright.adds_call_days', true) is distinct from 'yes')
  execute function add_call_day();

-- The days of cost_total. The rows without a number are the sums of all numbers.
create table cost_day (
  organization_id uuid not null references organization on delete cascade,
  project_id      uuid not null,
  campaign_id     uuid,             -- null: calls without a campaign
  agent_id        uuid,             -- null: an inbound call that was forwarded
  phone_number_id uuid,             -- null: all numbers
  direction       text not null,
  day             date not null,    -- when the calls were queued
  currency        text not null,
  amount          numeric not null,
  model           numeric not null,
  calls           bigint not null,
  completed       bigint not null,
  constraint cost_day_unique unique nulls not distinct
    (organization_id, phone_number_id, day, campaign_id, agent_id, project_id, direction, currency)
) with (fillfactor = 70);
create index cost_day_campaign on cost_day (campaign_id) where campaign_id is not null;

insert into cost_day
select c.organization_id, c.project_id, c.campaign_id, c.agent_id, n.phone_number_id, c.direction,
       (c.created_at at time zone o.time_zone)::date, p.currency, sum(p.amount), sum(p.model), sum(p.calls),
       sum(p.calls) filter (where c.outcome = 'completed')
from call c
join organization o on o.id = c.organization_id
cross join lateral (values (null::uuid), (c.phone_number_id)) n (phone_number_id)
cross join lateral (
  select c.cost_currency as currency, c.cost as amount, 0::numeric as model, 1 as calls
  union all
  -- Tokens in other currencies are no part of the call's cost.
  select m.currency, case when m.currency = c.cost_currency then 0 else m.amount end, m.amount,
         (m.currency <> c.cost_currency)::int
  from (
    select e -> 'cost' ->> 'currency' as currency, sum((e -> 'cost' ->> 'amount')::numeric) as amount
    from jsonb_path_query(c.analysis, '$.model.connections[*] ? (@.cost.amount != null)') e group by 1) m) p
where c.cost is not null
group by 1, 2, 3, 4, 5, 6, 7, 8;

-- Each change of the cost of a call changes its days. The statement that makes it has locked the row of cost_total to
-- which the days belong, so two changes of the same rows never wait for each other.
create function change_cost_day() returns trigger language plpgsql set search_path from current as $$
begin
  insert into cost_day as d
  select new.organization_id, new.project_id, new.campaign_id, new.agent_id, n.phone_number_id, new.direction,
         (select (new.created_at at time zone o.time_zone)::date from organization o where o.id = new.organization_id),
         c.currency, sum(c.amount), sum(c.model), sum(c.calls), sum(c.calls * (new.outcome = 'completed')::int)
  from (values (null::uuid), (new.phone_number_id)) n (phone_number_id)
  cross join (
    select e.currency, e.sign * e.cost as amount, 0 as model, e.sign as calls
    from (values (1, new.cost_currency, new.cost), (-1, old.cost_currency, old.cost)) e (sign, currency, cost)
    where e.cost is not null
    union all
    select m.currency, case when m.currency = e.currency then 0 else e.sign * m.amount end, e.sign * m.amount,
           case when m.currency = e.currency then 0 else e.sign end
    from (values (1, new.cost_currency, new.cost), (-1, old.cost_currency, old.cost)) e (sign, currency, cost)
    join call_price_due p on p.call_id = new.id
    cross join lateral jsonb_to_recordset(p.model_costs) m (currency text, amount numeric)
    where e.cost is not null
  ) c
  group by n.phone_number_id, c.currency
  having sum(c.amount) <> 0 or sum(c.model) <> 0 or sum(c.calls) <> 0
  order by n.phone_number_id nulls first, c.currency
  on conflict on constraint cost_day_unique do update set
    amount = d.amount + excluded.amount, model = d.model + excluded.model, calls = d.calls + excluded.calls,
    completed = d.completed + excluded.completed;
  return null;
end $$;
create trigger call_priced after update of cost, cost_currency, cost_parts on call for each row
  when ((old.cost, old.cost_currency, old.cost_parts) is distinct from (new.cost, new.cost_currency, new.cost_parts))
  execute function change_cost_day();
