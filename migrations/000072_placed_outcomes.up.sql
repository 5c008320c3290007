-- Calls that were not placed are no attempts, and no longer count as outcomes of their campaign.
update campaign c set outcomes = (
  select coalesce(jsonb_object_agg(o.outcome, o.calls), '{}')
  from (
    select outcome, count(*) as calls from call
    where campaign_id = c.id and settled_at is not null and asked_at is not null
      and (ended_reason = any('{carrier_unavailable,account_refused,country_refused,caller_refused,carrier_busy,not_placed,not_allowed,check_failed}')) is not true
    group by outcome
  ) o)
where c.outcomes <> '{}' and exists (
  select from call
  where campaign_id = c.id and settled_at is not null and (asked_at is null
    or ended_reason = any('{carrier_unavailable,account_refused,country_refused,caller_refused,carrier_busy,not_placed,not_allowed,check_failed}')));
