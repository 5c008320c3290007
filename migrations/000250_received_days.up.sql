-- The calls received in a period are read by its days, however long the history is.
create index phone_number_day_period on phone_number_day (organization_id, day);
drop index phone_number_day_organization;
