-- The list of events is ordered by the transaction that wrote them, so that a reader who waits for the end of the
-- transactions before a position skips no event, whichever transaction commits first. Older events come first.
alter table event add column transaction_id xid8 not null default '0';
alter table event alter column transaction_id set default pg_current_xact_id();
create index event_committed on event (organization_id, transaction_id, id);

-- The organizations that list their events. All their events are stored, not only those of a webhook.
create table event_reader (
  organization_id uuid primary key references organization on delete cascade,
  read_at         timestamptz(3) not null -- updated at most once an hour
);
