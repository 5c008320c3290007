-- The talk time of a version is averaged over the calls that a person answered, as on the overview. Pages show 30 days.
alter table agent_version_day
  add column reached    bigint not null default 0, -- outbound calls that a person answered
  add column reached_ms bigint not null default 0; -- their talk time

update agent_version_day d set reached = s.reached, reached_ms = s.reached_ms
from (
  select c.agent_id, c.agent_version_id as version_id, (c.created_at at time zone o.time_zone)::date as day,
         count(*) as reached, sum((extract(epoch from c.ended_at - c.answered_at) * 1000)::bigint) as reached_ms
  from call c
  join organization o on o.id = c.organization_id
  where c.settled_at is not null and c.direction = 'outbound' and c.answered_at is not null
    and c.outcome <> 'voicemail' and c.agent_id is not null and c.created_at > clock() - interval '32 days'
  group by 1, 2, 3) s
where d.agent_id = s.agent_id and d.version_id is not distinct from s.version_id and d.day = s.day
  and d.currency is null;
