alter table do_not_call_removal drop column reason;
