drop table event_reader;
drop index event_committed;
alter table event drop column transaction_id;
