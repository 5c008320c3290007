-- The list of scheduled calls, the earliest first, reads no others.
create index recipient_planned_due on recipient (organization_id, due_at, next_call_id) where next_call_id is not null;
