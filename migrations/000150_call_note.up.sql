-- Notes of people for the agent of a live call. They are numbered in the order in which they were added. The holder of
-- the line reads those that the conversation does not know.
create table call_note (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  call_id         uuid not null references call on delete cascade,
  number          integer not null, -- from 1
  text            text not null,    -- empty: retention removed it
  author          text not null,    -- the actor's name, as shown
  given_at        timestamptz(3),   -- when the agent got it; null: not yet, or never
  created_at      timestamptz(3) not null default clock(),
  constraint call_note_number unique (call_id, number)
);
alter table call add column notes integer not null default 0; -- how many it has
