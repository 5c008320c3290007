alter table cost_month rename column answered to calls;
update cost_month m set calls = case
  when m.currency is null then (
    select count(*) from call_price_due d
    where d.organization_id = m.organization_id and d.month = m.month and not d.priced)
  else (
    select coalesce(sum(t.calls), 0) from cost_total t
    where (t.organization_id, t.month, t.currency) = (m.organization_id, m.month, m.currency))
  end;
alter table cost_pending rename column answered to calls;
update cost_pending p set calls = (
  select count(*) from call_price_due d where d.campaign_id = p.campaign_id and not d.priced);
alter table cost_total drop column answered;
alter table call_price_due drop column answered;
