drop trigger recipient_move on recipient;
create trigger recipient_move before update of status on recipient for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('pending', 'dialing'), ('pending', 'skipped'), ('pending', 'canceled'), ('pending', 'expired'),
  ('dialing', 'pending'), ('dialing', 'completed'), ('dialing', 'failed'), ('dialing', 'canceled'),
  ('dialing', 'expired'), ('dialing', 'skipped')))
execute function refuse_move();
alter table recipient drop column answered_call_id;
