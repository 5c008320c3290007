alter table call_line drop column instance_id;
alter table call drop column instance_id;
drop table instance;
