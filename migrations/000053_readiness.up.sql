-- The last results of the checks before a connection calls real phones.
create table connection_check (
  connection_id   uuid not null,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  state           text not null constraint connection_check_state
    check (state in ('ok', 'failed', 'unknown', 'not_applicable')),
  detail          text not null, -- for people
  checked_at      timestamptz(3) not null,
  primary key (connection_id, name),
  foreign key (organization_id, connection_id) references connection (organization_id, id) on delete cascade
);
create index connection_check_organization on connection_check (organization_id);

-- When a line worked, after none had or after one had failed. Null: none since the last
-- failure. The next line that works sets it.
alter table connection add column relay_proven_at timestamptz(3);
