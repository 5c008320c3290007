-- Connections to language models, which answer during calls.
create table model_connection (
  id                 uuid primary key,
  organization_id    uuid not null references organization on delete cascade,
  name               text not null,
  provider           text not null constraint model_connection_provider
                       check (provider in ('openai_compatible', 'anthropic', 'sandbox')), -- never changes
  url                text not null default '', -- up to /v1; empty: the sandbox
  key                bytea not null,           -- sealed; empty: none, or deactivated
  model              text not null,
  streams            integer not null constraint model_connection_streams check (streams between 1 and 10000),
  input_price        numeric,                  -- per million tokens; null: unknown
  cached_input_price numeric,
  output_price       numeric,
  currency           text not null default '', -- of the prices; empty: there are none
  version            integer not null default 1, -- of the settings
  failures           integer not null default 0, -- in a row; 5 and more: calls that need the model should not start
  last_error         text,
  last_error_at      timestamptz(3),
  last_success_at    timestamptz(3),
  checked_at         timestamptz(3),           -- when somebody last checked it; null: never with these settings
  check_error        text,                     -- why that check failed; null: it did not
  first_token_ms     integer,                  -- of that check
  tool_calls         boolean,                  -- whether the model called a tool in that check
  deactivated_at     timestamptz(3),
  created_at         timestamptz(3) not null default clock(),
  constraint model_connection_tenant unique (organization_id, id)
) with (fillfactor = 80);
create index model_connection_list on model_connection (organization_id, created_at desc, id desc)
  where deactivated_at is null;
