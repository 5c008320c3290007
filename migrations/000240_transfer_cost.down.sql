alter table call_price_due drop column transfers;
alter table call_transfer drop column carrier_call_id;
