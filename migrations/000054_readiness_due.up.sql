-- When the checks of a connection are made again. Null: not by themselves, as of the sandbox.
alter table connection add column check_due_at timestamptz(3);
update connection set check_due_at = clock() where kind <> 'sandbox';
create index connection_check_due on connection (check_due_at) where check_due_at is not null and deactivated_at is null;

-- A line has worked where a call was answered and had a conversation.
update connection c set relay_proven_at = clock()
where relay_proven_at is null and line_failures = 0
  and exists (
    select from call
    where call.organization_id = c.organization_id and call.connection_id = c.id and call.outcome = 'completed' and call.ended_at is not null);
