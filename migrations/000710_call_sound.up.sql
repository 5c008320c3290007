-- Somebody listens in to a call. The sound comes to one process, and the listeners are at others: it passes through
-- call_sound_part, which holds the last seconds. A crash of the database empties it.
create table call_sound (
  call_id         uuid primary key references call on delete cascade,
  organization_id uuid not null references organization on delete cascade,
  ticket_hash     bytea not null,
  asked_at        timestamptz not null, -- the last request to the carrier
  wanted_until    timestamptz not null, -- as long as somebody listens, it is moved on
  parts           bigint not null default 0,
  last_part_at    timestamptz
) with (fillfactor = 50);
create index call_sound_organization on call_sound (organization_id);

create unlogged table call_sound_part (
  call_id uuid not null references call_sound on delete cascade,
  number  bigint not null,
  sound   bytea not null,
  primary key (call_id, number)
);
