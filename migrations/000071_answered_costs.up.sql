-- Budgets count a call whose cost is not known at the average of answered calls, and only if it was answered.
alter table call_price_due add column answered boolean not null default false;
update call_price_due d set answered = true from call c where c.id = d.call_id and c.answered_at is not null;

alter table cost_total add column answered bigint not null default 0; -- calls that were answered
update cost_total t set answered = a.calls
from (
  select c.organization_id, c.project_id, c.campaign_id, c.cost_currency as currency, count(*) as calls,
         date_trunc('month', c.created_at at time zone o.time_zone)::date as month
  from call c join organization o on o.id = c.organization_id
  where c.cost is not null and c.answered_at is not null
  group by 1, 2, 3, 4, 6
) a
where (a.organization_id, a.project_id, a.month, a.currency) = (t.organization_id, t.project_id, t.month, t.currency)
  and a.campaign_id is not distinct from t.campaign_id;

alter table cost_pending rename column calls to answered;
update cost_pending p set answered = (
  select count(*) from call_price_due d where d.campaign_id = p.campaign_id and d.answered and not d.priced);

alter table cost_month rename column calls to answered; -- of the amount, or under no currency without a known cost
update cost_month m set answered = case
  when m.currency is null then (
    select count(*) from call_price_due d
    where d.organization_id = m.organization_id and d.month = m.month and d.answered and not d.priced)
  else (
    select coalesce(sum(t.answered), 0) from cost_total t
    where (t.organization_id, t.month, t.currency) = (m.organization_id, m.month, m.currency))
  end;
