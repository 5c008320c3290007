-- Which process runs a periodic task, until when. A lock of a session would outlive its process behind a connection
-- pooler. There is a row only while a task runs, or until the lease of a killed process ends.
create table task_lease (
  name       text primary key,
  holder     uuid not null,
  until      timestamptz not null,
  renewed_at timestamptz not null
);
