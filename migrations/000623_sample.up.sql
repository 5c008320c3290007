-- The sample data of an organization: what one click created, so that another click removes exactly that. The objects
-- have no foreign keys, because people may remove each of them on its own page.
create table sample (
  organization_id uuid primary key references organization on delete cascade,
  project_id      uuid, -- null: the campaign is in a project that the organization had
  connection_id   uuid not null,
  phone_number_id uuid not null,
  agent_id        uuid not null,
  campaign_id     uuid not null,
  created_at      timestamptz(3) not null default clock(),
  removed_at      timestamptz(3), -- null: it is in use; otherwise its last calls are ending
  removed_by      text not null default ''
);
create index sample_removed on sample (organization_id) where removed_at is not null;
