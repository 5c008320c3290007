-- Why calls put numbers on the do-not-call list: the recipient has died, the number is somebody
-- else's, or a campaign's action for another intent.
alter table do_not_call drop constraint do_not_call_source;
alter table do_not_call add constraint do_not_call_source
  check (source in ('call', 'deceased', 'wrong_person', 'campaign', 'user', 'api', 'import', 'message', 'erasure'));
