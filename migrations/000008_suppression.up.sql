-- The do-not-call list as an integrator keeps it, people who are erased, and
-- for how long the words of a call are kept.

-- The key that erased numbers are hashed with, sealed by the master key: there
-- are so few phone numbers that whoever had the key beside the hashes could try
-- them all. Each connection of the product is given it when it is opened, as the
-- setting dialwright.number_key; it stands in no statement. At most one row.
create table number_key (
  id         boolean primary key default true constraint number_key_one_row check (id),
  sealed     bytea not null,
  created_at timestamptz(3) not null default clock()
);

-- An entry of somebody who was erased has the hash of the number instead of it.
alter table do_not_call
  alter column phone_number drop not null,
  add column number_hash bytea,
  add constraint do_not_call_number check ((phone_number is null) <> (number_hash is null)),
  add constraint do_not_call_hash_unique unique (organization_id, channel, number_hash),
  drop constraint do_not_call_source,
  add constraint do_not_call_source check (source in ('call', 'user', 'api', 'import', 'message', 'erasure'));
create index do_not_call_hashed on do_not_call (organization_id) where number_hash is not null;
create index do_not_call_channel_list on do_not_call (organization_id, channel, created_at desc, id desc);
create index do_not_call_source_list on do_not_call (organization_id, source, created_at desc, id desc);

-- number_hash is HMAC-SHA256 (RFC 2104) of a number of an organization: the two
-- halves of the setting are the key, padded as the inner and the outer hash want
-- it. A connection that was not given the key gets no answer where there is
-- something to compare with: nothing is dialed rather than somebody who must not be.
create function number_hash(organization uuid, number text) returns bytea
language plpgsql stable parallel safe as $$
declare
  pads text := current_setting('dialwright.number_key', true);
begin
  if pads is null or pads = '' then
    if exists (select from do_not_call d where d.organization_id = organization and d.number_hash is not null) then
      raise exception 'this connection was not given the key of the do-not-call list';
    end if;
    return null;
  end if;
  return sha256(decode(right(pads, 128), 'hex')
             || sha256(decode(left(pads, 128), 'hex') || convert_to(organization::text || ' ' || number, 'UTF8')));
end $$;

-- Somebody who is being erased, or was: worked off in batches by any process.
create table erasure (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  number          bytea,          -- sealed; null when it is done
  number_hash     bytea not null,
  seen_at         timestamptz,    -- when it was certainly committed, by the server's own clock: transactions that are older may not know of it
  calls           integer not null default 0,
  recipients      integer not null default 0,
  messages        integer not null default 0,
  events          integer not null default 0,
  created_by      text not null default '',
  created_at      timestamptz(3) not null default clock(),
  completed_at    timestamptz(3),
  constraint erasure_completed check ((completed_at is null) = (number is not null))
);
create index erasure_list on erasure (organization_id, created_at desc, id desc);
create unique index erasure_running on erasure (organization_id, number_hash) where completed_at is null;
create index erasure_due on erasure (created_at) where completed_at is null;

-- For how many days what was said, and its recording, are kept. Null: for ever.
alter table project
  add column transcript_days integer constraint project_transcript_days check (transcript_days between 1 and 3650),
  add column recording_days  integer constraint project_recording_days check (recording_days between 1 and 3650);

alter table call add column transcript_removed_at timestamptz(3); -- by retention, or because the person was erased
create index call_transcript_kept on call (project_id, ended_at)
  where answered_at is not null and settled_at is not null and transcript_removed_at is null;
create index call_recording_kept on call (project_id, ended_at) where recording_url is not null and settled_at is not null;
