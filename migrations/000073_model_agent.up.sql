-- Agents whose conversations a language model holds.
alter table agent drop constraint agent_kind, add constraint agent_kind check (kind in ('scripted', 'model'));

-- The connection that answers in a call, chosen at its claim, because it bounds simultaneous calls. Null: no model.
alter table call add column model_connection_id uuid;
create index call_model_live on call (model_connection_id) where ended_at is null and model_connection_id is not null;
