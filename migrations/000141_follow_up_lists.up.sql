-- The lists of follow-ups by status in a project or a campaign, and of those that are due by a time, read no others.
create index follow_up_project_status_list on follow_up (organization_id, project_id, status, created_at desc, id desc);
create index follow_up_campaign_status_list on follow_up
  (organization_id, campaign_id, status, created_at desc, id desc) where campaign_id is not null;
create index follow_up_due_list on follow_up (organization_id, created_at desc, id desc) include (due_at)
  where due_at is not null;
