drop index recipient_person, call_person, message_person;
drop function person_keys, person_fold;
drop table person_note;
