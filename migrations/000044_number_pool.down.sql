-- A campaign keeps one number of its pool. A pool always has a number, and a call names the
-- number that it came from.
update campaign c
set phone_number_id = coalesce(
      (select id from phone_number where number_pool_id = c.number_pool_id order by id limit 1),
      (select phone_number_id from call where campaign_id = c.id limit 1),
      (select id from phone_number where connection_id = c.connection_id limit 1))
where phone_number_id is null;
alter table campaign drop column number_pool_id, alter column phone_number_id set not null;
alter table phone_number
  drop column number_pool_id, drop column last_call_at, drop column calls_day, drop column calls_on_day,
  drop column rest_until, drop column rested_at, reset (fillfactor);
drop table number_pool;
