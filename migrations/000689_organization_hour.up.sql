-- The figures of all calls of each hour. A page of 60 days reads at most 1,440 rows, however many campaigns and numbers
-- the organization has. Triggers of call_hour keep them, so whatever changes those rows changes these.
create table organization_hour (
  organization_id uuid not null references organization on delete cascade,
  starts_at       timestamptz not null, -- as in call_hour
  completed       integer not null default 0,
  no_answer       integer not null default 0,
  voicemail       integer not null default 0,
  busy            integer not null default 0,
  failed          integer not null default 0,
  canceled        integer not null default 0,
  placed          integer not null default 0,
  reached         integer not null default 0,
  talk_ms         bigint not null default 0,
  opted_out       integer not null default 0,
  primary key (organization_id, starts_at)
) with (fillfactor = 70);

insert into organization_hour
select organization_id, starts_at, sum(completed), sum(no_answer), sum(voicemail), sum(busy), sum(failed),
       sum(canceled), sum(placed), sum(reached), sum(talk_ms), sum(opted_out)
from call_hour group by organization_id, starts_at;

-- The hours are written in their order, as call_hour is, so that two settlements never deadlock.
create function add_hours() returns trigger language plpgsql as $$
begin
  insert into organization_hour as h
  select organization_id, starts_at, sum(completed), sum(no_answer), sum(voicemail), sum(busy), sum(failed),
         sum(canceled), sum(placed), sum(reached), sum(talk_ms), sum(opted_out)
  from added group by organization_id, starts_at order by organization_id, starts_at
  on conflict (organization_id, starts_at) do update set
    completed = h.completed + excluded.completed, no_answer = h.no_answer + excluded.no_answer,
    voicemail = h.voicemail + excluded.voicemail, busy = h.busy + excluded.busy, failed = h.failed + excluded.failed,
    canceled = h.canceled + excluded.canceled, placed = h.placed + excluded.placed,
    reached = h.reached + excluded.reached, talk_ms = h.talk_ms + excluded.talk_ms,
    opted_out = h.opted_out + excluded.opted_out;
  return null;
end $$;

create function change_hours() returns trigger language plpgsql as $$
begin
  insert into organization_hour as h
  select organization_id, starts_at, sum(sign * completed), sum(sign * no_answer), sum(sign * voicemail),
         sum(sign * busy), sum(sign * failed), sum(sign * canceled), sum(sign * placed), sum(sign * reached),
         sum(sign * talk_ms), sum(sign * opted_out)
  from (select 1 as sign, * from added union all select -1, * from removed) changed
  group by organization_id, starts_at order by organization_id, starts_at
  on conflict (organization_id, starts_at) do update set
    completed = h.completed + excluded.completed, no_answer = h.no_answer + excluded.no_answer,
    voicemail = h.voicemail + excluded.voicemail, busy = h.busy + excluded.busy, failed = h.failed + excluded.failed,
    canceled = h.canceled + excluded.canceled, placed = h.placed + excluded.placed,
    reached = h.reached + excluded.reached, talk_ms = h.talk_ms + excluded.talk_ms,
    opted_out = h.opted_out + excluded.opted_out;
  return null;
end $$;

-- An hour without calls has no row. If an organization is deleted, its hours may be gone before its rows of call_hour.
create function subtract_hours() returns trigger language plpgsql as $$
begin
  perform from organization_hour h
  where (h.organization_id, h.starts_at) in (select organization_id, starts_at from removed)
  order by h.organization_id, h.starts_at
  for no key update;
  update organization_hour h set
    completed = h.completed - r.completed, no_answer = h.no_answer - r.no_answer, voicemail = h.voicemail - r.voicemail,
    busy = h.busy - r.busy, failed = h.failed - r.failed, canceled = h.canceled - r.canceled,
    placed = h.placed - r.placed, reached = h.reached - r.reached, talk_ms = h.talk_ms - r.talk_ms,
    opted_out = h.opted_out - r.opted_out
  from (
    select organization_id, starts_at, sum(completed) as completed, sum(no_answer) as no_answer,
           sum(voicemail) as voicemail, sum(busy) as busy, sum(failed) as failed, sum(canceled) as canceled,
           sum(placed) as placed, sum(reached) as reached, sum(talk_ms) as talk_ms, sum(opted_out) as opted_out
    from removed group by organization_id, starts_at) r
  where h.organization_id = r.organization_id and h.starts_at = r.starts_at;
  delete from organization_hour h
  using removed r
  where h.organization_id = r.organization_id and h.starts_at = r.starts_at
    and not exists (
      select from call_hour c where c.organization_id = h.organization_id and c.starts_at = h.starts_at);
  return null;
end $$;

create trigger call_hour_inserted after insert on call_hour referencing new table as added
  for each statement execute function add_hours();
create trigger call_hour_updated after update on call_hour referencing old table as removed new table as added
  for each statement execute function change_hours();
create trigger call_hour_deleted after delete on call_hour referencing old table as removed
  for each statement execute function subtract_hours();
