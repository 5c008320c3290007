-- The inbound call in which a recipient answered what was left open, while another call to them was claimed. The
-- settlement of that call completes the recipient.
alter table recipient add column answered_call_id uuid;

-- A recipient who calls us and answers goes from pending to completed.
drop trigger recipient_move on recipient;
create trigger recipient_move before update of status on recipient for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('pending', 'dialing'), ('pending', 'skipped'), ('pending', 'canceled'), ('pending', 'expired'),
  ('pending', 'completed'),
  ('dialing', 'pending'), ('dialing', 'completed'), ('dialing', 'failed'), ('dialing', 'canceled'),
  ('dialing', 'expired'), ('dialing', 'skipped')))
execute function refuse_move();
