-- How the calls of an hour went, so that the overview reads a few thousand rows
-- however many calls there are. Written with the settlement of each call; one row
-- per campaign, whose row lock whoever settles its calls holds anyway.
create table call_hour (
  organization_id uuid not null references organization on delete cascade,
  campaign_id     uuid,                 -- null: calls that no campaign made
  starts_at       timestamptz not null, -- a full hour by the organization's clock; calls count where they were queued
  completed       integer not null default 0,
  no_answer       integer not null default 0,
  voicemail       integer not null default 0,
  busy            integer not null default 0,
  failed          integer not null default 0,
  canceled        integer not null default 0,
  placed          integer not null default 0, -- the carrier took them
  reached         integer not null default 0, -- a person answered
  talk_ms         bigint not null default 0,  -- with people
  opted_out       integer not null default 0, -- asked in the call not to be called again
  constraint call_hour_unique unique nulls not distinct (organization_id, starts_at, campaign_id)
) with (fillfactor = 70);

insert into call_hour (organization_id, campaign_id, starts_at, completed, no_answer, voicemail, busy, failed, canceled,
                       placed, reached, talk_ms, opted_out)
select c.organization_id, c.campaign_id, date_trunc('hour', c.created_at, o.time_zone),
       count(*) filter (where c.outcome = 'completed'), count(*) filter (where c.outcome = 'no_answer'),
       count(*) filter (where c.outcome = 'voicemail'), count(*) filter (where c.outcome = 'busy'),
       count(*) filter (where c.outcome = 'failed'), count(*) filter (where c.outcome = 'canceled'),
       count(*) filter (where c.asked_at is not null and c.ended_reason not in ('carrier_unavailable', 'carrier_busy', 'not_placed')),
       count(*) filter (where c.answered_at is not null and c.outcome <> 'voicemail'),
       coalesce(sum((extract(epoch from c.ended_at - c.answered_at) * 1000)::bigint) filter (where c.outcome <> 'voicemail'), 0),
       count(*) filter (where c.ended_reason = 'opted_out')
from call c
join organization o on o.id = c.organization_id
where c.settled_at is not null
group by 1, 2, 3;
