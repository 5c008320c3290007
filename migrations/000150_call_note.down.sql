alter table call drop column notes;
drop table call_note;
