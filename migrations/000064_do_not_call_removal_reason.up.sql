-- Why an entry was removed. Empty: the entry was removed before, or an integration gave no reason.
alter table do_not_call_removal add column reason text not null default '';
