drop trigger call_priced on call;
drop trigger call_settled on call;
drop function change_cost_day, add_call_day;
drop table cost_day, call_day;
drop view call_figures;
