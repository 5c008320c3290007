drop table country_refusal, caller_refusal;
alter table call drop column carrier_code;
alter table connection drop column region;
