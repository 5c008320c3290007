drop table message, messaging_template, messaging_window, messaging_number, messaging_ledger, messaging_scope, messaging_connection;
update do_not_call set source = 'api' where source = 'message';
alter table do_not_call drop constraint do_not_call_source;
alter table do_not_call add constraint do_not_call_source check (source in ('call', 'user', 'api', 'import'));
