drop index do_not_call_also_in;
alter table do_not_call drop column also_in;
