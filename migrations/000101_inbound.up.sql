-- What happens when people call a phone number of the organization. Without a row, the standard message is played.
create table inbound (
  phone_number_id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  agent_id        uuid, -- that talks with callers; null: none
  project_id      uuid, -- of the calls; null: the project of the caller's last call
  settings        jsonb not null, -- as in the API, without the IDs above
  updated_at      timestamptz(3) not null default clock(),
  foreign key (organization_id, phone_number_id) references phone_number (organization_id, id) on delete cascade,
  foreign key (organization_id, agent_id) references agent (organization_id, id),
  foreign key (organization_id, project_id) references project (organization_id, id)
);
create index inbound_agent on inbound (agent_id) where agent_id is not null;
create index inbound_project on inbound (project_id) where project_id is not null;

-- An inbound call may be held without an agent: a message is played, or the call is forwarded.
alter table call alter column agent_id drop not null;
alter table call
  add column reception    jsonb, -- of an inbound call: what was decided when it arrived
  add column last_call_id uuid,  -- of an inbound call: the call to the same person before it
  add column resumes_recipient_id uuid, -- of an inbound call: whose open questions it asks
  add constraint call_reception check (
    (direction = 'inbound') = (reception is not null) and (direction = 'inbound' or agent_id is not null));
-- Carriers repeat the request for instructions, so their ID makes the call one.
create unique index call_inbound_unique on call (connection_id, carrier_call_id) where direction = 'inbound';
create index call_inbound_unsettled on call (organization_id, person_number)
  where direction = 'inbound' and settled_at is null;
