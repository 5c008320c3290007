drop index do_not_call_of_list;
create index do_not_call_of_list on do_not_call (organization_id, list_id) where list_id is not null;
alter table do_not_call_removal drop column also_in;
alter table subscribed_list drop column held_back, drop column rejected_rows;
