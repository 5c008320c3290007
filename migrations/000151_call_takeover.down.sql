delete from call_note where destination_id is not null;
alter table call_note drop column destination_id;
