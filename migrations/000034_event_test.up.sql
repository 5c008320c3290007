-- Whether an event was made for a test of one webhook. Nothing happened then, so
-- no other webhook is told of it, and a recovery leaves it out.
alter table event add column is_test boolean not null default false;
