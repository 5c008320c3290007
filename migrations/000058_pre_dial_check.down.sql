drop trigger recipient_move on recipient;
create trigger recipient_move before update of status on recipient for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('pending', 'dialing'), ('pending', 'skipped'), ('pending', 'canceled'), ('pending', 'expired'),
  ('dialing', 'pending'), ('dialing', 'completed'), ('dialing', 'failed'), ('dialing', 'canceled'),
  ('dialing', 'expired')))
execute function refuse_move();
alter table recipient drop column skip_detail;
alter table call drop column pre_dial_check;
drop table pre_dial_check;
