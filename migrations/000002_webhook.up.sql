-- ---------------------------------------------------------------- webhooks

create table webhook (
  id                    uuid primary key,
  organization_id       uuid not null references organization on delete cascade,
  name                  text not null,
  url                   text not null,
  events                text[] not null, -- types, families (call.*) or *
  is_active             boolean not null default true,
  disabled_reason       text constraint webhook_disabled check (disabled_reason in ('failing', 'gone')), -- by us; null when a person paused it
  inactive_since        timestamptz(3),  -- what happened since then was missed
  secret                bytea not null,  -- sealed
  previous_secret       bytea,           -- sealed; signs too, while a rotation overlaps
  previous_secret_until timestamptz(3),
  failing_since         timestamptz(3),  -- first failed attempt since the last success
  failures              integer not null default 0, -- failed attempts since then
  last_failure_at       timestamptz(3),
  last_success_at       timestamptz(3),  -- moved at most once a minute while all goes well
  is_holding            boolean not null default false, -- rows of delivery_due are held while it is inactive
  created_by            text not null default '',
  created_at            timestamptz(3) not null default clock(),
  deleted_at            timestamptz(3),  -- gone for everybody; its log is cleared away in batches
  constraint webhook_inactive check (is_active = (inactive_since is null)),
  constraint webhook_disabled_inactive check (disabled_reason is null or not is_active)
) with (fillfactor = 70);
create index webhook_list on webhook (organization_id, created_at desc, id desc) where deleted_at is null;
create index webhook_release on webhook (id) where is_holding and is_active;
create index webhook_deleted on webhook (deleted_at) where deleted_at is not null;

-- How a webhook's endpoint did, by day: counted as its attempts are written, so
-- that nobody who looks at it has to walk the log.
create table webhook_day (
  webhook_id uuid not null references webhook on delete cascade,
  day        date not null,                -- in the organization's time zone
  succeeded  integer not null default 0,   -- attempts
  failed     integer not null default 0,
  primary key (webhook_id, day)
) with (fillfactor = 70);

-- What happened, as it is told: written in the transaction that made it true, if
-- the organization has a webhook for it. Kept as long as the log.
create table event (
  id              uuid primary key, -- version 7; the webhook-id of its deliveries
  organization_id uuid not null,
  type            text not null,
  subject_id      uuid not null,    -- the call, recipient, campaign, … it is about
  payload         text not null,    -- the body, byte for byte
  created_at      timestamptz(3) not null
);
create index event_list on event (organization_id, created_at, id);
create index event_subject on event (organization_id, subject_id);

-- One event on its way to one webhook. Neither this table nor the next two have
-- foreign keys to the webhook: each insert would lock the row that all
-- deliveries to it share.
create table delivery (
  id              uuid primary key,
  organization_id uuid not null,
  webhook_id      uuid not null,
  event_id        uuid not null,
  event_type      text not null,
  status          text not null default 'pending' constraint delivery_status check (status in ('pending', 'succeeded', 'failed')),
  attempts        integer not null default 0,
  response_status integer,        -- of the last attempt
  error           text,           -- of the last attempt, for people; null when it succeeded
  duration_ms     integer,        -- of the last attempt
  next_attempt_at timestamptz(3), -- null when none is planned
  delivered_at    timestamptz(3), -- when it first succeeded
  created_at      timestamptz(3) not null default clock(),
  constraint delivery_once unique (webhook_id, event_id)
) with (fillfactor = 80);
create index delivery_list on delivery (webhook_id, created_at desc, id desc);
create index delivery_status_list on delivery (webhook_id, status, created_at desc, id desc);
create index delivery_type_list on delivery (webhook_id, event_type, created_at desc, id desc);
create index delivery_event on delivery (event_id);

create table delivery_attempt (
  delivery_id      uuid not null,
  number           integer not null,        -- 1, 2, …
  manual           boolean not null default false, -- asked for by a person: outside the schedule
  url              text not null,
  signed_at        bigint not null,         -- webhook-timestamp: Unix seconds
  signature        text not null,           -- webhook-signature, as sent
  outcome          text not null constraint delivery_attempt_outcome
                     check (outcome in ('succeeded', 'status', 'timeout', 'dns', 'connect', 'tls', 'blocked', 'protocol')),
  error            text,                    -- for people; null when it succeeded
  remote_address   inet,
  response_status  integer,
  response_headers jsonb,
  response_body    bytea,                   -- the first 16 KiB
  response_cut     boolean not null default false, -- there was more
  dns_ms           real,
  connect_ms       real,
  tls_ms           real,
  first_byte_ms    real,                    -- from the request written to the first byte of the answer
  duration_ms      integer not null,
  started_at       timestamptz(3) not null,
  primary key (delivery_id, number)
);

-- The only queue: attempts that are to be made, a narrow row each, deleted when
-- made. The claim walks the webhooks that have ready rows, so nothing else may be
-- ready: what waits for its time is made ready when that has come, and so is what
-- was taken by a process that died; what an inactive webhook is owed is held.
create table delivery_due (
  delivery_id uuid not null,
  manual      boolean not null default false, -- asked for by a person: one attempt, also while the webhook is inactive
  webhook_id  uuid not null,
  step        smallint not null default 0,    -- place in the schedule of retries
  state       text not null default 'ready' constraint delivery_due_state check (state in ('ready', 'waiting', 'leased', 'held')),
  due_at      timestamptz not null,           -- waiting and leased: ready again from then on
  lease       bigint,                         -- of the process that took it
  lost        smallint not null default 0,    -- how often it was taken since the last result
  constraint delivery_due_once primary key (delivery_id, manual),
  constraint delivery_due_lease check ((state = 'leased') = (lease is not null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index delivery_due_ready on delivery_due (webhook_id, due_at) where state = 'ready';
create index delivery_due_later on delivery_due (due_at) where state in ('waiting', 'leased');
create index delivery_due_held on delivery_due (webhook_id) where state = 'held';

-- Making up for what was missed: worked off in batches, from since to until.
create table webhook_recovery (
  id              uuid primary key,
  organization_id uuid not null,
  webhook_id      uuid not null,
  since           timestamptz(3) not null,
  until           timestamptz(3) not null, -- when it was asked for: what comes later is delivered anyway
  at              timestamptz(3) not null, -- how far it has come
  after_id        uuid,                    -- among the events of that moment
  retried         integer not null default 0, -- failed deliveries queued again
  added           integer not null default 0, -- events that had no delivery
  created_by      text not null default '',
  created_at      timestamptz(3) not null default clock(),
  finished_at     timestamptz(3)
);
create index webhook_recovery_list on webhook_recovery (webhook_id, created_at desc, id desc);
create unique index webhook_recovery_one on webhook_recovery (webhook_id) where finished_at is null;
