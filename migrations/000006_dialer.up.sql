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
