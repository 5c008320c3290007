-- A webhook with filters would get the events of everything, which may be another client's.
update webhook set is_active = false, inactive_since = clock(), disabled_reason = null
where is_active and project_ids || campaign_ids || agent_ids <> '{}';
alter table webhook drop column agent_ids;
alter table webhook drop column campaign_ids;
alter table webhook drop column project_ids;
alter table event drop column agent_id;
alter table event drop column campaign_id;
alter table event drop column project_id;
