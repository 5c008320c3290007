drop table cost_month;
drop table cost_pending;
create index call_price_due_campaign on call_price_due (campaign_id) where not priced;
alter table call_price_due drop column month;
alter table organization drop column budget_amount, drop column budget_currency;
alter table campaign drop column budget_amount, drop column budget_currency;
