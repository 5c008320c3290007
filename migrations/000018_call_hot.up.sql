-- Half of what is written to a call while it is up changes nothing that an index
-- names, and then no index is touched. Whether it was answered is written while
-- it is up; that it has a transcript, when it ends.
drop index call_transcript_kept;
create index call_transcript_kept on call (project_id, ended_at) where settled_at is not null and transcript_text <> '';
