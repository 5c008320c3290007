alter table organization drop column model_day_tokens, drop column model_day_amount, drop column model_day_currency;
drop table model_day;
drop function add_counts;
drop table agent_version_timing;
drop table agent_version_day;
alter table call_turn drop column timing;
