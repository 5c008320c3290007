-- The settled calls of each number by the organization's day, for figures that read a row per day.
create table phone_number_day (
  phone_number_id uuid not null,
  day             date not null, -- when the calls were queued
  organization_id uuid not null,
  placed          integer not null,
  reached         integer not null, -- a person answered
  answered        integer not null, -- a person or a machine answered
  short_calls     integer not null, -- answered, and over within six seconds
  primary key (phone_number_id, day),
  foreign key (organization_id, phone_number_id) references phone_number (organization_id, id) on delete cascade
) with (fillfactor = 50);
create index phone_number_day_organization on phone_number_day (organization_id);

insert into phone_number_day
select c.phone_number_id, (c.created_at at time zone o.time_zone)::date, c.organization_id,
       count(*) filter (where c.asked_at is not null and c.ended_reason not in
         ('carrier_unavailable', 'account_refused', 'country_refused', 'caller_refused', 'carrier_busy', 'not_placed')),
       count(*) filter (where c.answered_at is not null and c.outcome <> 'voicemail'),
       count(c.answered_at),
       count(*) filter (where c.ended_at - c.answered_at <= interval '6 seconds')
from call c
join organization o on o.id = c.organization_id
where c.settled_at is not null and c.created_at > clock() - interval '31 days'
group by 1, 2, 3;
