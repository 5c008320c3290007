create index phone_number_day_organization on phone_number_day (organization_id);
drop index phone_number_day_period;
