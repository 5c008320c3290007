alter table do_not_call drop column calls_canceled;
