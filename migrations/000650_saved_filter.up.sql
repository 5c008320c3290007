-- The filters of a list that a member gave a name.
create table saved_filter (
  id              uuid primary key,
  organization_id uuid not null,
  user_id         uuid not null,
  list            text not null, -- its path
  name            text not null,
  query           text not null, -- of the URL, without what names one person
  created_at      timestamptz(3) not null default clock(),
  constraint saved_filter_name unique (organization_id, user_id, list, name),
  foreign key (organization_id, user_id) references membership (organization_id, user_id) on delete cascade
);
