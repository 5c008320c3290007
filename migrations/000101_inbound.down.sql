delete from call_turn t using call c where c.id = t.call_id and c.direction = 'inbound';
delete from call where direction = 'inbound';
alter table call
  drop constraint call_reception,
  drop column resumes_recipient_id,
  drop column last_call_id,
  drop column reception;
drop index if exists call_inbound_unique, call_inbound_unsettled;
alter table call alter column agent_id set not null;
drop table inbound;
