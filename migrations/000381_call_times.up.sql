-- When a scheduled call that ended without being placed was due.
alter table call add column due_at timestamptz(3);
-- Of a call of its own: the requested start. Null: as soon as possible. Of older calls, it is known while they wait.
alter table recipient add column scheduled_at timestamptz(3);
update recipient set scheduled_at = due_at
where next_call_id is not null and status = 'pending' and attempts = 0 and wait_reason = 'scheduled';
