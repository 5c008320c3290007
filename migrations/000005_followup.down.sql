drop index message_recipient;
create index message_recipient on message (recipient_id) where recipient_id is not null;

drop index recipient_held;
drop index recipient_messaged;
alter table recipient drop column messaged_at;
alter table campaign drop column messaging_trigger, drop column messaging_number_id;
