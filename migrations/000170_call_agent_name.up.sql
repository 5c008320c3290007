-- Agents are renamed. A call keeps the name with which its agent spoke.
alter table call add column agent_name text; -- null: no agent, or the call is older than the column
