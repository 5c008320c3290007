drop index recipient_prioritized;
alter table recipient drop column canceled_at, drop column prioritized_at;
