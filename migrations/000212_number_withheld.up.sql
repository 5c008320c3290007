-- Whether the caller of an inbound call withheld the number. A call without a person's number is otherwise one of an
-- erased person.
alter table call add column number_withheld boolean not null default false;
update call set number_withheld = true
where direction = 'inbound' and person_number = '' and received_id is not null;
