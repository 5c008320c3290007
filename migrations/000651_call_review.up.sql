-- What people say about a call that has ended. An erasure removes it, and retention empties the note.
create table call_review (
  call_id         uuid primary key references call on delete cascade,
  organization_id uuid not null references organization on delete cascade,
  reviewed_at     timestamptz(3),          -- null: it still needs a review
  reviewed_by     text not null default '', -- the member's name, as shown
  tags            text[] not null default '{}',
  note            text not null default '',
  constraint call_review_by check ((reviewed_at is null) = (reviewed_by = ''))
);
create index call_review_organization on call_review (organization_id);

-- The tags that an organization has used, which forms suggest.
create table call_tag (
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  primary key (organization_id, name)
);
