-- What carriers refuse, and what follows.

-- In which of its data centers Twilio keeps the account's calls. It never changes.
alter table connection add column region text not null default 'us1'
  constraint connection_region check (region in ('us1', 'ie1', 'au1'));

alter table call add column carrier_code text; -- the carrier's code for the end of the call; null: it gave none

-- The refusals of a calling number in a row: calls from other numbers of the connection say
-- nothing about this number. The next accepted call from the number deletes the row, as does
-- a person who resumes one of its campaigns.
create table caller_refusal (
  phone_number_id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  times           integer not null,
  reason          text not null, -- of the last one, in the carrier's words
  last_at         timestamptz(3) not null,
  foreign key (organization_id, phone_number_id) references phone_number (organization_id, id) on delete cascade
) with (fillfactor = 50);
create index caller_refusal_organization on caller_refusal (organization_id);

-- The countries that the carrier account of a campaign may not call. Their recipients wait
-- until a person resumes the campaign, which deletes the rows.
create table country_refusal (
  campaign_id     uuid not null,
  country         text not null, -- ISO 3166-1 alpha-2, or a calling code ("+870") that belongs to no country
  organization_id uuid not null,
  reason          text not null, -- in the carrier's words
  applied_at      timestamptz(3), -- when the campaign's recipients were searched for the country; null: not yet
  created_at      timestamptz(3) not null default clock(),
  primary key (campaign_id, country),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) on delete cascade
);
