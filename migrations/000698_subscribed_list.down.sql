alter table do_not_call_removal drop column list_id;
alter table do_not_call drop column list_id;
drop table subscribed_list;
