drop trigger call_move on call;
drop trigger recipient_move on recipient;
drop trigger campaign_move on campaign;
drop function refuse_move();
alter table phone_number reset (fillfactor);
alter table phone_number drop column calls_per_second, drop column pace_at;
alter table organization reset (fillfactor);
alter table organization
  drop column calls_per_second, drop column pace_at, drop column max_daily_attempts, drop column calling_stopped_by;
alter table campaign drop column retry_outcome_delays;
