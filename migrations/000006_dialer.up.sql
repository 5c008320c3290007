-- The rules of the dialer: a delay for each outcome, how often one number may be
-- called in a day, the paces of numbers and organizations, who stopped all
-- calling; and the moves between states, held by the database as well.

alter table campaign
  add column retry_outcome_delays jsonb not null default '{}'; -- minutes as in retry_delays, by the outcomes that have their own

-- Limits that all campaigns share. Their rows are written as calls are paced.
alter table organization
  add column calls_per_second   double precision constraint organization_rate_positive check (calls_per_second > 0), -- null: no limit
  add column pace_at            timestamptz, -- when the next call may start, as in connection
  add column max_daily_attempts integer constraint organization_max_daily_attempts_positive check (max_daily_attempts > 0), -- calls to one number in any 24 hours; null: no limit
  add column calling_stopped_by text not null default ''; -- who, as shown
alter table organization set (fillfactor = 70);
alter table phone_number
  add column calls_per_second double precision constraint phone_number_rate_positive check (calls_per_second > 0), -- null: no limit
  add column pace_at          timestamptz; -- as in connection
alter table phone_number set (fillfactor = 80);

-- States only move forward. The code decides the same before it writes; this
-- holds whatever is written by whomever, and costs a comparison where the state
-- stays as it is. An illegal move is a check violation with the name of the noun.
create function refuse_move() returns trigger
language plpgsql as $$
begin
  raise exception '% % cannot go from % to %', tg_table_name, old.id, old.status, new.status
    using errcode = 'check_violation', constraint = tg_table_name || '_move', table = tg_table_name;
end $$;

create trigger campaign_move before update of status on campaign for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('scheduled', 'running'), ('scheduled', 'paused'), ('scheduled', 'completed'), ('scheduled', 'canceled'), ('scheduled', 'failed'),
  ('running', 'paused'), ('running', 'completed'), ('running', 'canceled'), ('running', 'failed'),
  ('paused', 'scheduled'), ('paused', 'running'), ('paused', 'completed'), ('paused', 'canceled'), ('paused', 'failed')))
execute function refuse_move();

create trigger recipient_move before update of status on recipient for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('pending', 'dialing'), ('pending', 'skipped'), ('pending', 'canceled'), ('pending', 'expired'),
  ('dialing', 'pending'), ('dialing', 'completed'), ('dialing', 'failed'), ('dialing', 'canceled'), ('dialing', 'expired')))
execute function refuse_move();

create trigger call_move before update of status on call for each row
when (old.status <> new.status and (
  old.status not in ('queued', 'ringing', 'in_progress')
  or new.status = 'queued'
  or old.status = 'in_progress' and new.status = 'ringing'))
execute function refuse_move();
