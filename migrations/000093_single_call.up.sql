-- Calls of their own, which POST /calls requests. The dialer dials them like the recipients of a campaign: calls with the
-- same settings are recipients of one standing campaign, which nobody sees and which never completes.
alter table campaign
  add column kind text not null default 'campaign' constraint campaign_kind check (kind in ('campaign', 'call')),
  add column settings_hash bytea, -- of a standing campaign: the SHA-256 of its settings
  add constraint campaign_standing check ((kind = 'call') = (settings_hash is not null));
create unique index campaign_settings on campaign (organization_id, settings_hash)
  where settings_hash is not null and ended_at is null;

create index campaign_standing_due on campaign (connection_id) where kind = 'call' and dial_at is not null;

-- The lists of campaigns read no standing campaigns.
drop index campaign_list;
drop index campaign_status_list;
drop index campaign_project_list;
drop index campaign_agent_list;
create index campaign_list on campaign (organization_id, created_at desc, id desc) where kind = 'campaign';
create index campaign_status_list on campaign (organization_id, status, created_at desc, id desc)
  where kind = 'campaign';
create index campaign_project_list on campaign (organization_id, project_id, created_at desc, id desc)
  where kind = 'campaign';
create index campaign_agent_list on campaign (organization_id, agent_id, created_at desc, id desc)
  where kind = 'campaign';

alter table recipient
  add column first_call_id uuid,           -- of a call of its own: the call that was requested
  add column next_call_id  uuid,           -- of a call of its own that waits: the next call, which is no row of call yet
  add column planned_at    timestamptz(3), -- since when the next call is scheduled
  add column expires_at    timestamptz(3), -- of a call of its own: no call is placed from then on
  add constraint recipient_planned check ((next_call_id is null) = (planned_at is null));
create unique index recipient_next_call on recipient (next_call_id) where next_call_id is not null;
create index recipient_planned_list on recipient (organization_id, planned_at desc, next_call_id desc)
  where next_call_id is not null;
create index recipient_expiry on recipient (campaign_id, expires_at)
  where expires_at is not null and status = 'pending';
-- Two calls of their own may have the same external_id.
drop index recipient_external_id_unique;
create unique index recipient_external_id_unique on recipient (campaign_id, external_id)
  where external_id is not null and first_call_id is null;

alter table call
  add column external_id   text, -- of the recipient; null also for calls that are older than the column
  add column first_call_id uuid, -- of a call of its own: the call that was requested, of which this is an attempt
  add column next_call_id  uuid; -- of a call of its own: the next attempt

-- Calls of their own that the connection has started while campaigns waited, less the calls of campaigns since then, and
-- until when campaigns wait for the connection. Calls of their own take at most half of what it may start.
alter table pace
  add column own_lead     integer not null default 0,
  add column waited_until timestamptz(3);
