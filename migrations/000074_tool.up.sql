-- Tools of an organization: requests to its own server that an agent held by a language model makes during a call.
create table tool (
  id                    uuid primary key,
  organization_id       uuid not null references organization on delete cascade,
  name                  text not null,           -- as the model calls it
  description           text not null,
  parameters            jsonb not null,          -- the JSON schema of the arguments
  url                   text not null,
  headers               bytea not null,          -- sealed JSON object; empty: none, or deactivated
  header_names          text[] not null default '{}',
  secret                bytea not null,          -- sealed; signs the requests; empty: deactivated
  previous_secret       bytea,                   -- sealed; signs too, during the overlap of a rotation
  previous_secret_until timestamptz(3),
  timeout_seconds       integer not null constraint tool_timeout check (timeout_seconds between 1 and 10),
  say                   text not null default '', -- while it runs; empty: a filler, if it takes long
  "values"              jsonb not null default '[]', -- what of an answer becomes a variable of the call
  deactivated_at        timestamptz(3),
  created_at            timestamptz(3) not null default clock(),
  constraint tool_tenant unique (organization_id, id)
);
create unique index tool_name on tool (organization_id, name) where deactivated_at is null;
create index tool_list on tool (organization_id, created_at desc, id desc) where deactivated_at is null;
