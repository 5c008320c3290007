alter table recipient drop column scheduled_at;
alter table call drop column due_at;
