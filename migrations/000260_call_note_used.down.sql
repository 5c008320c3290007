drop index call_transcript_kept;
create index call_transcript_kept on call (project_id, ended_at) where settled_at is not null and transcript_text <> '';
alter table call_note drop column used_at;
