-- Numbers that share the calls of a campaign.

-- All numbers of a pool have one connection, because a pass over a campaign locks one.
create table number_pool (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  connection_id   uuid not null, -- never changes
  name            text not null,
  strategy        text not null constraint number_pool_strategy check (strategy in ('rotation', 'nearest')),
  max_daily_calls integer constraint number_pool_max_daily_calls_positive
                    check (max_daily_calls > 0), -- of each number, by the organization's day; null: no limit
  -- A number rests for some hours if people answered fewer than this share of its last
  -- calls. Null: numbers do not rest.
  rest_below_percent integer,
  rest_after_calls   integer,
  rest_hours         integer,
  deactivated_at  timestamptz(3),
  created_at      timestamptz(3) not null default clock(),
  constraint number_pool_tenant unique (organization_id, id),
  constraint number_pool_rest check (
    num_nulls(rest_below_percent, rest_after_calls, rest_hours) in (0, 3)
    and rest_below_percent between 1 and 99 and rest_after_calls > 0 and rest_hours > 0),
  foreign key (organization_id, connection_id) references connection (organization_id, id)
);
create index number_pool_list on number_pool (organization_id, created_at desc, id desc) where deactivated_at is null;
create index number_pool_connection on number_pool (connection_id) where deactivated_at is null;

-- The dialer writes these columns under the lock of the number's row, with the calls of
-- every campaign. They count only while the number is in a pool.
alter table phone_number
  add column number_pool_id uuid,
  add column last_call_at   timestamptz,    -- of the number whose turn is last; in microseconds
  add column calls_day      date,           -- the day of calls_on_day, by the organization's time zone
  add column calls_on_day   integer not null default 0,
  add column rest_until     timestamptz(3),
  add column rested_at      timestamptz(3), -- when the last rest began: earlier calls do not lead to another
  add constraint phone_number_pool foreign key (organization_id, number_pool_id)
    references number_pool (organization_id, id),
  set (fillfactor = 50);
create index phone_number_pool_numbers on phone_number (number_pool_id) where number_pool_id is not null;

alter table campaign
  alter column phone_number_id drop not null,
  add column number_pool_id uuid,
  add constraint campaign_calls_from check ((phone_number_id is null) <> (number_pool_id is null)),
  add constraint campaign_number_pool foreign key (organization_id, number_pool_id)
    references number_pool (organization_id, id);
create index campaign_number_pool on campaign (organization_id, number_pool_id) where ended_at is null;
