drop index call_transcript_kept;
create index call_transcript_kept on call (project_id, ended_at)
  where answered_at is not null and settled_at is not null and transcript_removed_at is null;
