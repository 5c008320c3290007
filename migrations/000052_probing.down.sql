alter table country_refusal drop column times;
drop table line_failure;
alter table caller_refusal drop column probing;
alter table connection drop column probing;
