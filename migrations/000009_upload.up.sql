-- Files that somebody has chosen and not decided about yet: a list of recipients
-- between its upload and the campaign that is made of it. They are sealed, and
-- gone within hours: nobody has agreed to keep them.
create table upload (
  id              uuid primary key,
  organization_id uuid not null,
  user_id         uuid not null,
  name            text not null,
  size            bigint not null,
  created_at      timestamptz(3) not null default clock(),
  expires_at      timestamptz(3) not null,
  foreign key (organization_id, user_id) references membership on delete cascade
);
create index upload_owner on upload (organization_id, user_id, created_at desc);
create index upload_expiry on upload (expires_at);

-- The content, compressed, in pieces that are sealed one by one, so that no file
-- is ever whole in anybody's memory.
create table upload_piece (
  upload_id uuid not null references upload on delete cascade,
  position  integer not null,
  sealed    bytea not null,
  primary key (upload_id, position)
);
alter table upload_piece alter column sealed set storage external; -- what is sealed can't be compressed
