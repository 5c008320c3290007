drop index call_recording_kept, call_transcript_kept;
alter table call drop column transcript_removed_at;
alter table project drop column recording_days, drop column transcript_days;
drop table erasure;
-- Whom only the hash names is lost to a release that cannot read it.
delete from do_not_call where number_hash is not null;
drop function number_hash(uuid, text);
drop index do_not_call_source_list, do_not_call_channel_list, do_not_call_hashed;
alter table do_not_call
  drop constraint do_not_call_source,
  drop constraint do_not_call_hash_unique,
  drop constraint do_not_call_number,
  drop column number_hash,
  alter column phone_number set not null;
update do_not_call set source = 'user' where source = 'erasure';
alter table do_not_call add constraint do_not_call_source check (source in ('call', 'user', 'api', 'import', 'message'));
drop table number_key;
