alter table pace drop column own_lead, drop column waited_until;
alter table call drop column external_id, drop column first_call_id, drop column next_call_id;
delete from recipient where first_call_id is not null;
drop index recipient_external_id_unique;
create unique index recipient_external_id_unique on recipient (campaign_id, external_id) where external_id is not null;
alter table recipient drop column first_call_id, drop column next_call_id, drop column planned_at,
  drop column expires_at;
delete from campaign where kind = 'call';
drop index campaign_list;
drop index campaign_status_list;
drop index campaign_project_list;
drop index campaign_agent_list;
create index campaign_list on campaign (organization_id, created_at desc, id desc);
create index campaign_status_list on campaign (organization_id, status, created_at desc, id desc);
create index campaign_project_list on campaign (organization_id, project_id, created_at desc, id desc);
create index campaign_agent_list on campaign (organization_id, agent_id, created_at desc, id desc);
alter table campaign drop column kind, drop column settings_hash;
