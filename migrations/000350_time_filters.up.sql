-- Lists find what ended, started or was done in a period, however long ago it was created.
create index call_ended_list on call (organization_id, ended_at) include (created_at) where ended_at is not null;
create index campaign_started_list on campaign (organization_id, started_at)
  where kind = 'campaign' and started_at is not null;
create index campaign_ended_list on campaign (organization_id, ended_at)
  where kind = 'campaign' and ended_at is not null;
create index follow_up_done_list on follow_up (organization_id, done_at) where done_at is not null;
