delete from call_turn t using call c where c.id = t.call_id and c.direction = 'inbound';
delete from call where direction = 'inbound';
drop index call_in_flight;
create unique index call_in_flight on call (organization_id, person_number) where ended_at is null;
alter table call drop column direction;
alter table call rename column person_number to to_number;
alter table call rename column own_number to from_number;
