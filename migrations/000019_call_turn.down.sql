drop trigger call_turn_delete on call;
drop function call_turn_delete();
delete from call_turn t where not exists (select from call c where c.id = t.call_id);
alter table call_turn add constraint call_turn_call_id_fkey foreign key (call_id) references call on delete cascade;
