-- Recordings: whether calls are recorded, where the carrier keeps what it recorded,
-- and what it is to delete.

alter table agent add column record_calls boolean not null default false;

-- What was a link, and never set, is the carrier's id of the recording. Its link is
-- made when it is shown.
drop index call_recording_kept;
alter table call
  drop column recording_url,
  add column record               boolean not null default false, -- the carrier is asked to; as the agent said when it was claimed
  add column recording_id         text,           -- the carrier's
  add column recording_seconds    integer,
  add column recording_due_at     timestamptz(3), -- not told of until then, the carrier is asked for it
  add column recording_removed_at timestamptz(3); -- by retention, or because the person was erased: what is told of it later is deleted too
create index call_recording_kept on call (project_id, ended_at) where recording_id is not null and settled_at is not null;
create index call_recording_due on call (recording_due_at) where recording_due_at is not null;

-- A recording that is gone here, and that the carrier has not deleted yet: asked
-- again and again until it has. The row goes then.
create table recording_deletion (
  call_id         uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  connection_id   uuid not null,
  recording_id    text,           -- null: not known here, and looked for by the call
  carrier_call_id text,
  look_until      timestamptz(3), -- of one that is not known: when it counts as never made
  erasure_id      uuid references erasure on delete set null, -- the person who asked for it
  attempts        integer not null default 0,
  last_error      text,           -- fit to be shown
  due_at          timestamptz(3) not null default clock(),
  created_at      timestamptz(3) not null default clock(),
  foreign key (organization_id, connection_id) references connection (organization_id, id),
  constraint recording_deletion_findable check (recording_id is not null or carrier_call_id is not null)
);
create index recording_deletion_due on recording_deletion (due_at);
create index recording_deletion_erasure on recording_deletion (erasure_id) where erasure_id is not null;
