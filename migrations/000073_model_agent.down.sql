drop index call_model_live;
alter table call drop column model_connection_id;
update agent set kind = 'scripted', script = script - 'model' where kind = 'model';
alter table agent drop constraint agent_kind, add constraint agent_kind check (kind in ('scripted'));
