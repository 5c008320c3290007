-- Calls without a due time, to a country that the carrier refuses, come last in the list of scheduled calls.
drop index recipient_planned_due;
create index recipient_planned_due on recipient
  (organization_id, coalesce(due_at, timestamptz '2200-01-01 00:00:00Z'), next_call_id) where next_call_id is not null;
