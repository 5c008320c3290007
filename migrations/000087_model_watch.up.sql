-- How long the answer of a language model took, in milliseconds since the recipient's words arrived. Null: the turn is
-- no answer of a model to the recipient, or its times are not known.
alter table call_turn add column timing jsonb;

-- Sums over the settled calls of a version of an agent on a day of the organization's time zone. With a currency, a row
-- has only calls and amount.
create table agent_version_day (
  organization_id uuid not null references organization on delete cascade,
  agent_id        uuid not null,
  version_id      uuid, -- null: the draft
  day             date not null,
  currency        text,
  calls           bigint not null,           -- placed; with a currency: whose tokens have a known cost in it
  answered        bigint not null default 0,
  completed       bigint not null default 0, -- calls with the outcome completed
  opted_out       bigint not null default 0,
  seconds         bigint not null default 0, -- of the answered calls
  modeled         bigint not null default 0, -- calls that used a language model
  tokens          bigint not null default 0,
  amount          numeric not null default 0, -- what the tokens cost
  constraint agent_version_day_unique unique nulls not distinct (agent_id, version_id, day, currency)
) with (fillfactor = 70);

-- How many answers of models took how long, in the buckets of call.timingBounds.
create table agent_version_timing (
  organization_id uuid not null references organization on delete cascade,
  agent_id        uuid not null,
  version_id      uuid, -- null: the draft
  day             date not null,
  part            text not null, -- answer, first_token or own
  counts          bigint[] not null,
  constraint agent_version_timing_unique unique nulls not distinct (agent_id, version_id, day, part)
) with (fillfactor = 70);

-- add_counts adds two lists of counts, place by place.
create function add_counts(a bigint[], b bigint[]) returns bigint[] language sql immutable as $$
  select array_agg(coalesce(u.a, 0) + coalesce(u.b, 0) order by u.i) from unnest(a, b) with ordinality u (a, b, i)
$$;

-- What an organization used of language models on a day of its time zone: in calls, by the day of the call, and in
-- everything else. Without a currency, a row has the tokens. A transaction changes the rows last, because all share them.
create table model_day (
  organization_id uuid not null references organization on delete cascade,
  day             date not null,
  currency        text,
  calls           bigint not null default 0, -- settled calls that used tokens, or whose tokens have a known cost
  call_tokens     bigint not null default 0, -- of them
  call_amount     numeric not null default 0,
  tokens          bigint not null default 0, -- of them and of everything else
  amount          numeric not null default 0,
  constraint model_day_unique unique nulls not distinct (organization_id, day, currency)
) with (fillfactor = 70);

-- The most that an organization uses of language models on a day before the dialer waits. Null: no limit.
alter table organization
  add column model_day_tokens   bigint constraint organization_model_day_tokens check (model_day_tokens > 0),
  add column model_day_amount   numeric,
  add column model_day_currency text,
  add constraint organization_model_day_amount check (model_day_amount > 0 and model_day_currency is not null
    or model_day_amount is null and model_day_currency is null);
