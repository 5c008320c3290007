-- The most that calls may cost, in the carrier's currency. null: no budget.
alter table campaign
  add column budget_amount   numeric,
  add column budget_currency text,
  add constraint campaign_budget check (budget_amount > 0 and budget_currency is not null
    or budget_amount is null and budget_currency is null);
alter table organization -- of a calendar month in its time zone
  add column budget_amount   numeric,
  add column budget_currency text,
  add constraint organization_budget check (budget_amount > 0 and budget_currency is not null
    or budget_amount is null and budget_currency is null);

-- The month in whose sums the call counts. It is kept, because the organization may change its time zone.
alter table call_price_due add column month date;
update call_price_due d set month = date_trunc('month', c.created_at at time zone o.time_zone)::date
from call c join organization o on o.id = c.organization_id
where c.id = d.call_id;
delete from call_price_due where month is null; -- there is no call
alter table call_price_due alter column month set not null;
drop index call_price_due_campaign; -- cost_pending counts its rows

-- The number of a campaign's calls whose cost is not known yet, so that a budget can be checked before each call.
create table cost_pending (
  organization_id uuid not null references organization on delete cascade,
  campaign_id     uuid primary key,
  calls           bigint not null
) with (fillfactor = 70);
insert into cost_pending (organization_id, campaign_id, calls)
select organization_id, campaign_id, count(*) from call_price_due
where not priced and campaign_id is not null
group by organization_id, campaign_id;

-- Sums over an organization's calls of a month. A transaction changes them last, because all calls share them.
create table cost_month (
  organization_id uuid not null references organization on delete cascade,
  month           date not null,
  currency        text, -- null: calls whose cost is not known yet
  amount          numeric not null,
  calls           bigint not null,
  constraint cost_month_unique unique nulls not distinct (organization_id, month, currency)
) with (fillfactor = 70);
insert into cost_month (organization_id, month, currency, amount, calls)
select organization_id, month, currency, sum(amount), sum(calls) from cost_total
group by organization_id, month, currency
union all
select organization_id, month, null, 0, count(*) from call_price_due
where not priced
group by organization_id, month;
