drop table cost_total;
drop table call_price_due;
alter table connection drop column relay_rate, drop column detection_rate;
alter table call drop column cost_parts, drop column cost_currency, drop column cost;
