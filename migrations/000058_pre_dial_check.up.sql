-- An organization's own check of each number right before it is dialed.
create table pre_dial_check (
  organization_id       uuid primary key references organization on delete cascade,
  url                   text not null,
  secret                bytea not null, -- sealed
  previous_secret       bytea,          -- sealed; signs too until previous_secret_until
  previous_secret_until timestamptz(3),
  on_failure            text not null constraint pre_dial_check_on_failure check (on_failure in ('wait', 'call')),
  failures              integer not null default 0, -- failed checks in a row
  next_at               timestamptz(3), -- after too many failures: when the next request may be sent
  last_answer           text,
  last_answer_at        timestamptz(3),
  last_error            text,
  last_error_at         timestamptz(3)
) with (fillfactor = 50);

-- The answer of the check, kept as evidence: result, asked_at, took_ms, reason.
alter table call add column pre_dial_check jsonb;

-- Why the recipient was skipped, in the words of the check.
alter table recipient add column skip_detail text;

-- The check may refuse a recipient whose call was claimed.
drop trigger recipient_move on recipient;
create trigger recipient_move before update of status on recipient for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('pending', 'dialing'), ('pending', 'skipped'), ('pending', 'canceled'), ('pending', 'expired'),
  ('dialing', 'pending'), ('dialing', 'completed'), ('dialing', 'failed'), ('dialing', 'canceled'),
  ('dialing', 'expired'), ('dialing', 'skipped')))
execute function refuse_move();
