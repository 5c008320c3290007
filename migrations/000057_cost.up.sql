-- What a call cost. The carrier knows it minutes or hours after the call and may correct it, so it
-- is read several times. null: not known.
alter table call
  add column cost          numeric,
  add column cost_currency text,
  add column cost_parts    jsonb;

-- What the organization pays its carrier for what has no price of its own: a detection, and a
-- started minute of a line. In the currency of the account. null: unknown.
alter table connection
  add column detection_rate numeric constraint connection_detection_rate check (detection_rate >= 0),
  add column relay_rate     numeric constraint connection_relay_rate check (relay_rate >= 0);

-- The calls whose price is still to be read.
create table call_price_due (
  call_id         uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  connection_id   uuid not null,
  campaign_id     uuid,
  carrier_call_id text not null, -- the call loses its own in an erasure
  recording_id    text,          -- likewise; null: not recorded, or not reported yet
  priced          boolean not null default false,
  reads           smallint not null default 0, -- that the carrier answered
  errors          smallint not null default 0, -- consecutive
  ended_at        timestamptz(3) not null,
  due_at          timestamptz(3) not null,
  foreign key (organization_id, connection_id) references connection (organization_id, id)
);
create index call_price_due_due on call_price_due (due_at);
create index call_price_due_campaign on call_price_due (campaign_id) where not priced;

-- Sums of calls with a known cost, by the month in which the call was made, in the organization's
-- time zone. Amounts of different currencies are never added.
create table cost_total (
  organization_id uuid not null references organization on delete cascade,
  project_id      uuid not null,
  campaign_id     uuid, -- null: calls of their own
  month           date not null,
  currency        text not null,
  amount          numeric not null,
  calls           bigint not null,
  completed       bigint not null, -- calls with the outcome completed
  constraint cost_total_unique unique nulls not distinct (organization_id, campaign_id, project_id, month, currency)
);
create index cost_total_month on cost_total (organization_id, month);
