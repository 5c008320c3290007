alter table event drop column is_test;
