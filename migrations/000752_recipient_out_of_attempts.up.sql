-- A recipient who waits for another attempt goes from pending to failed when the attempts of the campaign are lowered.
drop trigger recipient_move on recipient;
create trigger recipient_move before update of status on recipient for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('pending', 'dialing'), ('pending', 'skipped'), ('pending', 'canceled'), ('pending', 'expired'),
  ('pending', 'completed'), ('pending', 'failed'),
  ('dialing', 'pending'), ('dialing', 'completed'), ('dialing', 'failed'), ('dialing', 'canceled'),
  ('dialing', 'expired'), ('dialing', 'skipped'),
  ('failed', 'completed')))
execute function refuse_move();
