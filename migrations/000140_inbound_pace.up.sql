-- The pace of calls to a phone number: of one caller, of all callers who withhold their number, and of everybody. It
-- bounds what a flood of calls costs.
create table inbound_pace (
  phone_number_id uuid not null references phone_number on delete cascade,
  organization_id uuid not null references organization on delete cascade,
  caller          text not null, -- E.164; 'withheld': all who withhold it; 'all': everybody
  rested_at       timestamptz(3) not null, -- when the calls so far no longer count
  allowed         boolean not null, -- whether the last call was accepted
  rejected        integer not null, -- calls that were rejected since it last was at rest
  primary key (phone_number_id, caller)
);
create index inbound_pace_rested on inbound_pace (rested_at);
create index inbound_pace_organization on inbound_pace (organization_id, caller);
