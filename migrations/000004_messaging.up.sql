-- WhatsApp: accounts, numbers, the operator's limits, templates, messages, and
-- the ledger that the limits are kept by.

-- An organization's WhatsApp Business Account. An account, and so each of its
-- numbers, is connected once in the whole deployment: the operator's limit is
-- kept exactly only by the one who knows of every send.
create table messaging_connection (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  account         text not null,  -- its id at the operator; for life
  credentials     bytea not null, -- sealed; empty when disconnected
  portfolio       text not null default '', -- the operator's id of the business that owns it, the last that it named; empty when it never did
  read_at         timestamptz(3), -- when its numbers and their limit were last read; null: to be read again at once
  listed_at       timestamptz(3), -- the same of its portfolio and its templates
  subscribed_at   timestamptz(3), -- when the operator agreed to send its webhooks; null: it is still to be asked
  paused_reason   text,           -- why nothing is sent over it; null: nothing is wrong
  paused_until    timestamptz(3), -- when it is tried again
  last_error      text,           -- of the last failed read; null when the last one succeeded
  last_error_at   timestamptz(3),
  disconnected_at timestamptz(3),
  created_at      timestamptz(3) not null default clock(),
  constraint messaging_connection_tenant unique (organization_id, id),
  constraint messaging_connection_paused check ((paused_reason is null) = (paused_until is null))
) with (fillfactor = 80);
create unique index messaging_connection_account_unique on messaging_connection (account) where disconnected_at is null;
create index messaging_connection_list on messaging_connection (organization_id, created_at desc, id desc);
create index messaging_connection_read on messaging_connection (read_at nulls first) where disconnected_at is null;

-- What one limit of the operator covers: a business portfolio with all its
-- numbers, or a number whose account belongs to none. It is nobody's own: the
-- numbers of two organizations may share a portfolio. Its row lock is the send
-- gate, and recipients is exactly how many rows the ledger has of it.
create table messaging_scope (
  id          uuid primary key,
  kind        text not null constraint messaging_scope_kind check (kind in ('portfolio', 'number')),
  external_id text not null,            -- of the portfolio or the number, at the operator
  tier        text not null default '', -- in the operator's word
  tier_limit  integer not null default 250 constraint messaging_scope_limit check (tier_limit >= 0), -- distinct recipients in 24 hours
  recipients  integer not null default 0 constraint messaging_scope_recipients check (recipients >= 0),
  alarm       text not null default '' constraint messaging_scope_alarm check (alarm in ('', 'low', 'exhausted')), -- what was told since there was room
  created_at  timestamptz(3) not null default clock(),
  constraint messaging_scope_unique unique (kind, external_id)
) with (fillfactor = 50);

-- The ledger: whom a template was sent to, and when last. Rows that have left
-- the window are deleted by whoever holds the scope's lock next.
create table messaging_ledger (
  scope_id     uuid not null,
  phone_number text not null,           -- E.164
  counted_at   timestamptz(3) not null, -- the latest admission, acceptance or delivery that counts
  asked_at     timestamptz(3) not null, -- when the operator was last asked to send to it
  primary key (scope_id, phone_number)
) with (fillfactor = 80);
create index messaging_ledger_age on messaging_ledger (scope_id, counted_at);

create table messaging_number (
  id              uuid primary key,
  organization_id uuid not null,
  connection_id   uuid not null,
  scope_id        uuid not null references messaging_scope,
  external_id     text not null,            -- at the operator; not the phone number
  phone_number    text,                     -- E.164
  name            text,                     -- as registered
  quality         text not null default '', -- in the operator's words, as status is
  status          text not null default '',
  rate            integer not null default 80 constraint messaging_number_rate_positive check (rate > 0), -- messages per second
  pace_at         timestamptz,              -- when the next message may go out; microseconds
  paused_reason   text,                     -- why nothing is sent from it; null: nothing is wrong
  paused_until    timestamptz(3),           -- when it is tried again
  disconnected_at timestamptz(3),           -- by a person, or because the operator lists it no more
  created_at      timestamptz(3) not null default clock(),
  constraint messaging_number_tenant unique (organization_id, id),
  constraint messaging_number_paused check ((paused_reason is null) = (paused_until is null)),
  foreign key (organization_id, connection_id) references messaging_connection (organization_id, id) on delete cascade
) with (fillfactor = 70);
create unique index messaging_number_unique on messaging_number (external_id) where disconnected_at is null;
create index messaging_number_list on messaging_number (organization_id, created_at desc, id desc);
create index messaging_number_connection on messaging_number (connection_id) where disconnected_at is null;
create index messaging_number_scope on messaging_number (scope_id) where disconnected_at is null;

-- Who has written to a number, and when last.
create table messaging_window (
  number_id    uuid not null references messaging_number on delete cascade,
  phone_number text not null, -- E.164
  opened_at    timestamptz(3) not null,
  primary key (number_id, phone_number)
) with (fillfactor = 80);
create index messaging_window_age on messaging_window (opened_at);

create table messaging_template (
  id              uuid primary key,
  organization_id uuid not null,
  connection_id   uuid not null,
  name            text not null,
  language        text not null,
  status          text not null,  -- in the operator's words, as category is
  category        text not null,
  content         jsonb not null, -- as the operator lists it
  paused_reason   text,           -- why it is not sent; null: nothing is wrong
  paused_until    timestamptz(3), -- when it is tried again
  removed_at      timestamptz(3), -- the operator lists it no more
  created_at      timestamptz(3) not null default clock(),
  constraint messaging_template_unique unique (connection_id, name, language),
  constraint messaging_template_paused check ((paused_reason is null) = (paused_until is null)),
  foreign key (organization_id, connection_id) references messaging_connection (organization_id, id) on delete cascade
);
create index messaging_template_list on messaging_template (organization_id, created_at desc, id desc);

-- Messages: the queue of what is to be sent and the log of what was.
create table message (
  id              uuid primary key, -- version 7; what the operator repeats in every status
  organization_id uuid not null references organization on delete cascade,
  number_id       uuid not null,
  scope_id        uuid not null,    -- the number's; moves with it
  campaign_id     uuid,
  recipient_id    uuid,
  lane            uuid not null,    -- lanes take turns at the gate: the campaign, else the organization
  phone_number    text not null,    -- of the recipient, E.164
  template_name     text not null,
  template_language text not null,
  variables       jsonb not null default '{}',
  components      jsonb not null default '[]', -- the template's, filled
  status          text not null default 'queued' constraint message_status
                    check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'canceled')),
  due_at          timestamptz(3),   -- when it may go to the gate; null unless queued
  wait_reason     text constraint message_wait_reason
                    check (wait_reason in ('quota', 'pair_rate', 'template', 'retry', 'recipient_limit')), -- why due_at is not earlier
  attempts        integer not null default 0,
  refused_class   text,                        -- how the operator refused it the last time, as the client names it,
  refused_times   integer not null default 0,  -- and how often in a row: each kind of refusal is borne for so long
  admitted_at     timestamptz(3),   -- through the gate, the last time
  lease_until     timestamptz(3),   -- until when the process that admitted it may ask the operator
  asked_at        timestamptz(3),   -- committed before the operator is asked; null says that it was not asked in this attempt
  unknown_since   timestamptz(3),   -- it was asked, and nobody knows the answer
  operator_id     text,             -- the operator's id of the message
  in_service_window boolean not null default false, -- the recipient had written within 24 hours when it was admitted
  counted_at      timestamptz(3),   -- in the ledger: the latest of admission, acceptance and delivery; null when it does not count
  error_code      integer,          -- the operator's; null when it gave none
  error           text,             -- for people: why it failed, was canceled or waits
  created_by      text not null default '',
  created_at      timestamptz(3) not null default clock(),
  sent_at         timestamptz(3),
  delivered_at    timestamptz(3),
  read_at         timestamptz(3),
  ended_at        timestamptz(3),   -- failed or canceled
  constraint message_due check ((due_at is not null) = (status = 'queued')),
  constraint message_waits check (wait_reason is null or status = 'queued'),
  constraint message_leased check ((lease_until is not null) = (status = 'sending')),
  constraint message_ended check ((ended_at is not null) = (status in ('failed', 'canceled'))),
  foreign key (organization_id, number_id) references messaging_number (organization_id, id)
) with (fillfactor = 60);
create index message_list on message (organization_id, created_at desc, id desc);
create index message_status_list on message (organization_id, status, created_at desc, id desc);
create index message_sent on message (organization_id, sent_at) include (status) where sent_at is not null;
create index message_refused on message (organization_id, ended_at) where status = 'failed' and sent_at is null;
create index message_number_list on message (organization_id, phone_number, created_at desc, id desc);
create index message_campaign_list on message (campaign_id, created_at desc, id desc) where campaign_id is not null;
create index message_recipient on message (recipient_id) where recipient_id is not null;
-- The queue. Who waits for a slot of the scope keeps the place it came with.
create index message_queue on message (number_id, lane, due_at, id) where status = 'queued' and wait_reason is distinct from 'quota';
create index message_waiting on message (number_id, lane, id) where status = 'queued' and wait_reason = 'quota';
create index message_lease on message (lease_until) where status = 'sending' and unknown_since is null;
create index message_unknown on message (unknown_since) where status = 'sending' and unknown_since is not null;
create index message_operator on message (operator_id) where operator_id is not null;
create index message_counted on message (scope_id, phone_number, counted_at) where counted_at is not null;

-- A recipient may stop messages by a reply, or in WhatsApp itself.
alter table do_not_call drop constraint do_not_call_source;
alter table do_not_call add constraint do_not_call_source check (source in ('call', 'user', 'api', 'import', 'message'));
