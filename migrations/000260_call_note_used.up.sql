-- An agent that knows a note may not speak again before the call ends. Older notes count as used when the agent got them.
alter table call_note add column used_at timestamptz(3); -- when the agent first spoke with it; null: not yet, or never
update call_note set used_at = given_at;
-- Retention also finds calls without a transcript that have notes.
drop index call_transcript_kept;
create index call_transcript_kept on call (project_id, ended_at)
  where settled_at is not null and (transcript_text <> '' or notes > 0 and transcript_removed_at is null);
