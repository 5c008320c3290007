-- After too many failures in a row pauses campaigns, a campaign that starts or is resumed
-- begins the count anew and places one call at a time until one works.

-- What ends the probing of a connection: the next accepted call, or the next line that
-- works. Null: the connection does not probe.
alter table connection add column probing text constraint connection_probing check (probing in ('call', 'line'));

-- Until the carrier accepts a call from the number, which deletes the row.
alter table caller_refusal add column probing boolean not null default false;

-- The calls of a campaign in a row whose line failed: lines of other campaigns with other
-- agents say nothing about this one. The next line that works deletes the row.
create table line_failure (
  campaign_id     uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  times           integer not null,
  probing         boolean not null default false, -- a person has resumed the campaign
  reason          text not null, -- of the last one, in the carrier's words
  last_at         timestamptz(3) not null,
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) on delete cascade
) with (fillfactor = 50);
create index line_failure_organization on line_failure (organization_id);

-- One refusal may be about one number. Only a few in a row are about the country.
alter table country_refusal add column times integer not null default 0;
update country_refusal set times = 3;
