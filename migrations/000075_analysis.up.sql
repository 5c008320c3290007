-- Analyses of calls. An analysis by rule is made during the call, and has a row only if another one followed it. The
-- column analysis of a call is what the newest ones found.
create table call_analysis (
  id               uuid primary key,
  organization_id  uuid not null references organization on delete cascade,
  call_id          uuid not null references call on delete cascade,
  number           integer not null constraint call_analysis_number_positive check (number > 0),
  method           text not null constraint call_analysis_method check (method in ('rule', 'model')),
  status           text not null constraint call_analysis_status check (status in ('pending', 'ready', 'failed')),
  agent_version_id uuid,  -- whose settings it follows; null: the agent's draft
  connection_id    uuid,  -- null: by rule
  model            text,  -- as the server named it; null: it did not, or has not answered
  result           jsonb, -- null: pending, failed or removed
  error            text,  -- why it failed, for people
  input_tokens     integer not null default 0,
  cached_tokens    integer not null default 0, -- of input_tokens
  output_tokens    integer not null default 0,
  estimated        boolean not null default false, -- the server did not count tokens
  cost             numeric, -- at the prices of the connection when it finished; null: unknown
  cost_currency    text,
  requested_by     text not null default '', -- the actor's name, as shown; empty: the end of the call
  created_at       timestamptz(3) not null default clock(),
  finished_at      timestamptz(3),
  constraint call_analysis_number_unique unique (call_id, number),
  constraint call_analysis_tenant unique (organization_id, id),
  foreign key (organization_id, connection_id) references model_connection (organization_id, id)
) with (fillfactor = 80);
create unique index call_analysis_pending on call_analysis (call_id) where status = 'pending';

-- The queue of analyses by a model.
create table call_analysis_due (
  analysis_id     uuid primary key references call_analysis on delete cascade,
  organization_id uuid not null references organization on delete cascade,
  connection_id   uuid not null,
  claims          integer not null default 0, -- only the last claim may write
  failures        integer not null default 0,
  leased_until    timestamptz(3),             -- null: nobody works on it
  due_at          timestamptz(3) not null default clock(),
  created_at      timestamptz(3) not null default clock()
) with (fillfactor = 70);
create index call_analysis_due_due on call_analysis_due (connection_id, due_at);
