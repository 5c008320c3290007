-- What was decided about a campaign, and when: it is kept as long as the
-- campaign. What holds a campaign up makes an entry when it changes; what happens
-- to many recipients or calls is counted up in one entry per period.
create table campaign_log_entry (
  id              uuid primary key,
  organization_id uuid not null,
  campaign_id     uuid not null,
  kind            text not null,
  period          timestamptz(3), -- of an entry that is counted up: where it began; null: it stands for itself
  actor_kind      text not null constraint campaign_log_entry_actor check (actor_kind in ('user', 'api_key', 'system')),
  actor_name      text not null,
  data            jsonb not null default '{}',
  created_at      timestamptz(3) not null default clock(),
  updated_at      timestamptz(3) not null default clock(), -- when it was last counted up
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) on delete cascade
);
create index campaign_log_entry_list on campaign_log_entry (organization_id, campaign_id, created_at desc, id desc);
create unique index campaign_log_entry_period on campaign_log_entry (campaign_id, kind, period) where period is not null;

alter table campaign
  add column held               text, -- what the log last said holds it up; null: nothing
  add column answered_by_person integer not null default 0, -- of its settled calls, as are the next three
  add column opted_out          integer not null default 0,
  add column abandoned          integer not null default 0,
  add column short_calls        integer not null default 0;

-- Recipients by the outcome of their last call.
create index recipient_outcome_list on recipient (campaign_id, outcome, id desc) where outcome is not null;

-- What is known of campaigns from before.
insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name, data, created_at, updated_at)
select a.id, a.organization_id, a.object_id, substr(a.action, length('campaign.') + 1), a.actor_kind, a.actor_name,
       jsonb_strip_nulls(jsonb_build_object(
         'recipients', a.data->'recipients',
         'reason', case when a.action in ('campaign.completed', 'campaign.failed') or a.actor_kind = 'system' then a.data->'reason' end)),
       a.created_at, a.created_at
from audit_entry a
join campaign c on c.organization_id = a.organization_id and c.id = a.object_id
where a.object_type = 'campaign'
  and a.action in ('campaign.created', 'campaign.started', 'campaign.paused', 'campaign.resumed', 'campaign.recipients_added',
                   'campaign.completed', 'campaign.canceled', 'campaign.failed');

update campaign c
set answered_by_person = n.answered_by_person, opted_out = n.opted_out, abandoned = n.abandoned, short_calls = n.short_calls
from (
  select campaign_id,
         count(*) filter (where by_person) as answered_by_person,
         count(*) filter (where ended_reason = 'opted_out') as opted_out,
         count(*) filter (where by_person and (
           ended_reason in ('line_failed', 'server_restart')
           or not spoke and not (ended_by is not distinct from 'recipient' and ended_at - answered_at < interval '2 s'))) as abandoned,
         count(*) filter (where ended_at - answered_at <= interval '6 s') as short_calls
  from (
    select campaign_id, ended_reason, ended_by, answered_at, ended_at, outcome <> 'voicemail' as by_person,
           exists (select from call_turn t where t.call_id = call.id and t.role = 'agent') as spoke
    from call
    where campaign_id is not null and answered_at is not null and settled_at is not null
  ) answered
  group by campaign_id
) n
where c.id = n.campaign_id;
