alter table cost_total drop column model;
alter table call_price_due drop column model_costs;
