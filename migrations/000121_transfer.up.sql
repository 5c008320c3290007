-- People to whom an agent can transfer a call.
create table destination (
  id                   uuid primary key,
  organization_id      uuid not null references organization on delete cascade,
  project_id           uuid not null,
  name                 text not null,
  phone_number         text,            -- E.164
  sip_address          text,            -- sip:name@host
  hours                jsonb not null,  -- with an IANA time zone
  fallback_id          uuid,            -- of the same project; the fallbacks form no circle
  mode                 text not null constraint destination_mode check (mode in ('cold', 'warm')),
  record               boolean not null, -- whether the conversation after the transfer is recorded
  ring_timeout_seconds integer not null constraint destination_ring_timeout check (ring_timeout_seconds between 5 and 120),
  deactivated_at       timestamptz(3),
  created_at           timestamptz(3) not null default clock(),
  constraint destination_tenant unique (organization_id, id),
  constraint destination_address check (num_nonnulls(phone_number, sip_address) = 1),
  foreign key (organization_id, project_id) references project (organization_id, id),
  foreign key (organization_id, fallback_id) references destination (organization_id, id)
);
create unique index destination_name_unique on destination (project_id, lower(name)) where deactivated_at is null;
create index destination_list on destination (organization_id, created_at desc, id desc) where deactivated_at is null;
create index destination_fallback on destination (organization_id, fallback_id) where fallback_id is not null;

-- Attempts to transfer a call, in order. A row is written before the recipient hears of the transfer. The address is
-- that of the destination when it is dialed.
create table call_transfer (
  call_id         uuid not null references call on delete cascade,
  number          integer not null, -- from 1
  organization_id uuid not null references organization on delete cascade,
  destination_id  uuid not null,
  destination     text not null,    -- its name, as the recipient heard it
  mode            text not null constraint call_transfer_mode check (mode in ('cold', 'warm')),
  recorded        boolean not null, -- whether the conversation with the person is recorded
  language        text not null,    -- of the words that the person hears
  briefing        text not null default '', -- what the person hears about the call; empty when a retention or erasure removed it
  state           text not null default 'requested' constraint call_transfer_state check (state in
                    ('requested', 'ringing', 'whisper', 'taken', 'ended',
                     'declined', 'busy', 'no_answer', 'failed', 'canceled')),
  detail          text not null default '', -- why it failed, for people
  requested_at    timestamptz(3) not null default clock(),
  dialed_at       timestamptz(3),
  answered_at     timestamptz(3), -- by the person at the destination
  taken_at        timestamptz(3), -- the recipient and the person are connected
  ended_at        timestamptz(3),
  primary key (call_id, number),
  foreign key (organization_id, destination_id) references destination (organization_id, id)
);
-- One transfer of a call at a time.
create unique index call_transfer_open on call_transfer (call_id) where ended_at is null;
create index call_transfer_destination on call_transfer (organization_id, destination_id);
