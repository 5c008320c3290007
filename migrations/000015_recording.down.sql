drop table recording_deletion;
drop index call_recording_due, call_recording_kept;
alter table call
  drop column recording_removed_at,
  drop column recording_due_at,
  drop column recording_seconds,
  drop column recording_id,
  drop column record,
  add column recording_url text;
create index call_recording_kept on call (project_id, ended_at) where recording_url is not null and settled_at is not null;
alter table agent drop column record_calls;
