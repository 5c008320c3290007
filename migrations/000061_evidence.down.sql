drop table do_not_call_removal;
alter table call drop column calling_hours_decision;
