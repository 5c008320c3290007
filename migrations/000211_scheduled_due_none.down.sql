drop index recipient_planned_due;
create index recipient_planned_due on recipient (organization_id, due_at, next_call_id) where next_call_id is not null;
