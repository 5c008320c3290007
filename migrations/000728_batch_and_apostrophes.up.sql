-- The rows that a person changed at once, by which the change can be undone for a day. An undo deletes them.
create table change_batch (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  object_type     text not null, -- as in the audit log
  object_ids      uuid[] not null,
  created_at      timestamptz(3) not null default clock()
);
create index change_batch_organization on change_batch (organization_id);
create index change_batch_created on change_batch (created_at);
