-- Rows of the last applied file that could not be read.
alter table subscribed_list add column rejected integer not null default 0;
