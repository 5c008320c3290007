-- The share of abandoned calls that pauses a campaign, in percent. Null: it pauses none.
alter table organization
  add column abandoned_most double precision constraint organization_abandoned_most
    check (abandoned_most > 0 and abandoned_most <= 100),
  add column abandoned_least integer not null default 100 constraint organization_abandoned_least
    check (abandoned_least > 0); -- answered calls below which the share says nothing

-- After such a pause, the campaign's earlier calls no longer count once it is resumed.
alter table campaign
  add column abandoned_paused boolean not null default false, -- until it is resumed
  add column abandoned_from timestamptz(3); -- when it was resumed

-- The settled calls of a campaign that a person answered, by hour, for the share of the last 30 days.
create table campaign_answer_hour (
  campaign_id        uuid not null,
  organization_id    uuid not null,
  starts_at          timestamptz(3) not null, -- a full hour of the settlement, or abandoned_from within it
  answered_by_person integer not null,
  abandoned          integer not null,
  primary key (campaign_id, starts_at),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) on delete cascade
) with (fillfactor = 70);
