delete from campaign_log_entry where kind = 'do_not_call_added';
update do_not_call set source = 'call' where source in ('deceased', 'wrong_person', 'campaign');
alter table do_not_call drop constraint do_not_call_source;
alter table do_not_call add constraint do_not_call_source
  check (source in ('call', 'user', 'api', 'import', 'message', 'erasure'));
