-- What an event belongs to, so that a recovery sends a webhook with filters the events that it would have got.
-- Null: none, or the event is older than this migration.
alter table event add column project_id uuid;
alter table event add column campaign_id uuid;
alter table event add column agent_id uuid;

-- The projects, campaigns and agents whose events a webhook gets. Empty: all. No foreign keys: a filter outlives what
-- it names, because a filter that becomes empty would let everything pass.
alter table webhook add column project_ids uuid[] not null default '{}';
alter table webhook add column campaign_ids uuid[] not null default '{}';
alter table webhook add column agent_ids uuid[] not null default '{}';
