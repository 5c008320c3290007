-- A list of numbers that Dialwright fetches from an address and keeps in sync with the do-not-call list.
create table subscribed_list (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  url             text not null,
  header_name     text not null default '', -- '': the request has no header of its own
  header_value    bytea,                    -- sealed
  channels        text[] not null,
  every_hours     integer not null,
  etag            text not null default '', -- of the last applied file, like last_modified
  last_modified   text not null default '',
  numbers         integer not null default 0, -- of the last applied file
  applied_at      timestamptz(3),             -- the last time that a file was read and applied
  fetched_at      timestamptz(3),             -- the last success: a file was applied or has not changed
  failures        integer not null default 0, -- in a row
  last_error      text,                       -- null: the last fetch succeeded
  last_error_at   timestamptz(3),
  shrunk          boolean not null default false, -- the last file had too few numbers and was not applied
  apply_anyway    boolean not null default false, -- the next file is applied even if it has too few numbers
  due_at          timestamptz(3) not null default clock(),
  fetch_id        uuid,                       -- of the fetch that is running; a change of the list ends it
  fetch_until     timestamptz(3),             -- another process may fetch the list after this
  created_at      timestamptz(3) not null default clock(),
  constraint subscribed_list_name unique (organization_id, name)
);
create index subscribed_list_due on subscribed_list (due_at);

-- The list that an entry comes from. null: a person, a campaign, an integration or a file of its own.
alter table do_not_call add column list_id uuid;
create index do_not_call_of_list on do_not_call (organization_id, list_id) where list_id is not null;
alter table do_not_call_removal add column list_id uuid;
