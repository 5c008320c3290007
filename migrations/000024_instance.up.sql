-- The processes that claim calls and hold lines. Each one renews its row every
-- few seconds. A row that was not renewed belongs to a process that is gone: the
-- process that notices deletes it, and has the calls of it looked up at once.
create table instance (
  id      uuid primary key,
  seen_at timestamptz(3) not null
) with (fillfactor = 50);

alter table call add column instance_id uuid;      -- the process that claimed it
alter table call_line add column instance_id uuid; -- the process that holds the line
