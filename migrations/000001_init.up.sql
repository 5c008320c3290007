-- The schema of the first release. Large tables lead with organization_id, ids
-- are UUIDv7, and every time a client can see is timestamptz(3), so that what
-- the API prints is what its filters compare.

-- clock() is the one clock that decides between processes: leases, windows,
-- due times, limits. Tests move it with a database setting; nothing else does.
-- It is volatile: write (select clock()) in a where clause, or no index is used.
create function clock() returns timestamptz
language sql volatile parallel safe as $$
  select date_trunc('milliseconds', clock_timestamp())
       + coalesce(nullif(current_setting('dialwright.clock_offset', true), '')::interval, interval '0')
$$;

-- ---------------------------------------------------------------- accounts

create table organization (
  id                 uuid primary key,
  name               text not null constraint organization_name_length check (char_length(name) between 1 and 100),
  time_zone          text not null default 'UTC',
  region             text not null default 'US', -- ISO 3166-1 alpha-2: how national numbers are read
  max_concurrency    integer constraint organization_max_concurrency_positive check (max_concurrency > 0), -- null: no limit
  calling_stopped_at timestamptz(3),              -- "stop all calling"; null: calls may be placed
  created_at         timestamptz(3) not null default clock()
);

create table app_user (
  id            uuid primary key,
  email         text not null constraint app_user_email_unique unique, -- lower case
  name          text not null,
  password_hash text not null, -- argon2id, PHC string
  created_at    timestamptz(3) not null default clock()
);

create table membership (
  organization_id uuid not null references organization on delete cascade,
  user_id         uuid not null references app_user on delete cascade,
  role            text not null constraint membership_role check (role in ('admin', 'staff')),
  created_at      timestamptz(3) not null default clock(),
  primary key (organization_id, user_id)
);
create index membership_user on membership (user_id);

-- The store of scs, which names its table itself.
create table sessions (
  token  text primary key,
  data   bytea not null,
  expiry timestamptz not null
);
create index sessions_expiry on sessions (expiry);

-- Our own row beside each scs session: deleting it signs that browser out.
create table user_session (
  id              uuid primary key,
  user_id         uuid not null references app_user on delete cascade,
  organization_id uuid not null,
  token_hash      bytea not null constraint user_session_token_unique unique,
  address         inet,
  agent           text not null default '',
  created_at      timestamptz(3) not null default clock(),
  last_seen_at    timestamptz(3) not null default clock(),
  expires_at      timestamptz(3) not null,
  foreign key (organization_id, user_id) references membership on delete cascade
);
create index user_session_user on user_session (user_id);
create index user_session_expiry on user_session (expires_at);

-- Failed sign-ins per account and per address: they slow down, never lock out.
create table sign_in_failure (
  subject      text primary key, -- 'account:' or 'address:' and a hash of it
  failures     integer not null,
  last_at      timestamptz(3) not null,
  not_before   timestamptz(3) not null
);

-- The one-time code that allows to set up an empty server. At most one row.
create table setup_code (
  id         boolean primary key default true constraint setup_code_one_row check (id),
  code_hash  bytea not null,
  created_at timestamptz(3) not null default clock()
);

create table api_key (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  hash            bytea not null constraint api_key_hash_unique unique, -- SHA-256 of the whole key
  display         text not null,                                        -- ik_live_abcd…wxyz
  scopes          text[] not null,
  expires_at      timestamptz(3),
  created_by      uuid references app_user on delete set null,
  created_at      timestamptz(3) not null default clock(),
  revoked_at      timestamptz(3),
  revoked_by      uuid references app_user on delete set null
);
create index api_key_organization on api_key (organization_id, created_at desc, id desc);

-- The narrow row that every authenticated request touches: the rate window and
-- the last use. Its own table, so that a busy key rewrites a few bytes in place.
create table api_key_use (
  api_key_id   uuid primary key references api_key on delete cascade,
  window_start timestamptz(3),
  requests     integer not null default 0,
  last_used_at timestamptz(3),
  last_address inet
) with (fillfactor = 50);

-- use_api_key authenticates a key, counts the request against the key's window
-- and notes its use, in one round trip. No row: the key is unknown, revoked or
-- expired. The window opens with the first request it counts. A request over
-- the limit is told so and writes nothing.
create function use_api_key(
  key_hash bytea, client inet, window_limit integer, window_length interval,
  out api_key_id uuid, out organization_id uuid, out name text, out scopes text[],
  out allowed boolean, out requests integer, out resets_at timestamptz, out resets_in interval
) returns setof record
language plpgsql as $$
declare
  k   api_key;
  u   api_key_use;
  now timestamptz;
begin
  -- Until the end of this transaction, which is this statement: what a crash of
  -- the server may lose is a few counted requests.
  perform set_config('synchronous_commit', 'off', true);

  select au.* into u
  from api_key ak join api_key_use au on au.api_key_id = ak.id
  where ak.hash = key_hash
  for no key update of au;
  if not found then
    return;
  end if;

  -- Read after the lock, by statements of their own: the key as it is now, even
  -- when it was revoked while this request waited, and the time it is now.
  select * into k from api_key ak where ak.id = u.api_key_id;
  now := clock();
  if not found or k.revoked_at is not null or k.expires_at <= now then
    return;
  end if;

  -- A window in the future is left by a clock that was set back.
  if u.window_start is null or now >= u.window_start + window_length or now < u.window_start - window_length then
    u.window_start := now;
    u.requests := 0;
  end if;

  allowed := u.requests < window_limit;
  if allowed then
    u.requests := u.requests + 1;
    update api_key_use au
    set window_start = u.window_start, requests = u.requests, last_used_at = now, last_address = client
    where au.api_key_id = k.id;
  end if;

  api_key_id := k.id;
  organization_id := k.organization_id;
  name := k.name;
  scopes := k.scopes;
  requests := u.requests;
  resets_at := u.window_start + window_length;
  resets_in := resets_at - now;
  return next;
end $$;

create table idempotency_key (
  organization_id uuid not null references organization on delete cascade,
  route           text not null,
  key_hash        bytea not null,
  body_hash       bytea not null,
  status          integer not null,
  answer          bytea not null, -- sealed
  created_at      timestamptz(3) not null default clock(),
  primary key (organization_id, route, key_hash)
);
create index idempotency_key_age on idempotency_key (created_at);

create table audit_entry (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  actor_kind      text not null constraint audit_entry_actor check (actor_kind in ('user', 'api_key', 'system')),
  actor_id        uuid,
  actor_name      text not null default '',
  action          text not null, -- noun.verb: campaign.paused
  object_type     text not null,
  object_id       uuid,
  data            jsonb not null default '{}',
  address         inet,
  created_at      timestamptz(3) not null default clock()
);
create index audit_entry_list on audit_entry (organization_id, created_at desc, id desc);
create index audit_entry_object on audit_entry (organization_id, object_id, created_at desc);

-- ---------------------------------------------------------------- projects

create table project (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  time_zone       text not null,  -- IANA
  region          text not null,  -- ISO 3166-1 alpha-2
  calling_hours   jsonb not null, -- as in the API
  deactivated_at  timestamptz(3),
  created_at      timestamptz(3) not null default clock(),
  constraint project_tenant unique (organization_id, id)
);
create unique index project_name_unique on project (organization_id, lower(name)) where deactivated_at is null;
create index project_list on project (organization_id, created_at desc, id desc);

create table agent (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  kind            text not null default 'scripted' constraint agent_kind check (kind in ('scripted')),
  language        text not null, -- BCP 47
  voice           text not null default '',
  script          jsonb not null,
  deactivated_at  timestamptz(3),
  created_at      timestamptz(3) not null default clock(),
  constraint agent_tenant unique (organization_id, id)
);
create index agent_list on agent (organization_id, created_at desc, id desc);

-- A carrier account of the organization. Its pace and its limits hold for all
-- numbers and campaigns that use it.
create table connection (
  id                 uuid primary key,
  organization_id    uuid not null references organization on delete cascade,
  kind               text not null constraint connection_kind check (kind in ('twilio', 'sandbox')),
  name               text not null,
  account            text not null,  -- the account's id at the carrier
  credentials        bytea not null, -- sealed
  calls_per_second   double precision constraint connection_rate_positive check (calls_per_second > 0), -- null: no limit
  max_concurrency    integer constraint connection_max_concurrency_positive check (max_concurrency > 0), -- null: no limit
  pace_at            timestamptz,    -- when the next call may start; microseconds, because 300 calls/s are 3.3 ms apart
  consecutive_errors integer not null default 0,
  last_error         text,
  last_error_at      timestamptz(3),
  deactivated_at     timestamptz(3),
  created_at         timestamptz(3) not null default clock(),
  constraint connection_tenant unique (organization_id, id)
) with (fillfactor = 80);
-- Two connections to one account would each be paced as if they were alone.
create unique index connection_account_unique on connection (organization_id, account) where deactivated_at is null;
create index connection_list on connection (organization_id, created_at desc, id desc);

create table phone_number (
  id                    uuid primary key,
  organization_id       uuid not null references organization on delete cascade,
  connection_id         uuid not null, -- for life
  phone_number          text not null,
  name                  text not null default '',
  voice                 boolean not null default true,
  messaging_external_id text,
  max_concurrency       integer constraint phone_number_max_concurrency_positive check (max_concurrency > 0), -- null: no limit
  deactivated_at        timestamptz(3),
  created_at            timestamptz(3) not null default clock(),
  constraint phone_number_tenant unique (organization_id, id),
  foreign key (organization_id, connection_id) references connection (organization_id, id)
);
create unique index phone_number_unique on phone_number (organization_id, phone_number) where deactivated_at is null;
create index phone_number_connection on phone_number (connection_id) where deactivated_at is null;
create index phone_number_list on phone_number (organization_id, created_at desc, id desc);

create table do_not_call (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  channel         text not null default 'voice' constraint do_not_call_channel check (channel in ('voice', 'message')),
  phone_number    text not null, -- E.164
  source          text not null constraint do_not_call_source check (source in ('call', 'user', 'api', 'import')),
  note            text not null default '',
  call_id         uuid,
  created_by      text not null default '', -- who, as shown; the audit log has the id
  created_at      timestamptz(3) not null default clock(),
  constraint do_not_call_unique unique (organization_id, channel, phone_number)
);
create index do_not_call_list on do_not_call (organization_id, created_at desc, id desc);

-- ---------------------------------------------------------------- campaigns

create table campaign (
  id                   uuid primary key,
  organization_id      uuid not null references organization on delete cascade,
  project_id           uuid not null,
  agent_id             uuid not null,
  phone_number_id      uuid not null,
  connection_id        uuid not null,
  name                 text not null,
  status               text not null constraint campaign_status
                         check (status in ('scheduled', 'running', 'paused', 'completed', 'canceled', 'failed')),
  ended_reason         text,
  pause_reason         text,
  scheduled_at         timestamptz(3) not null,
  expires_at           timestamptz(3),
  calling_hours        jsonb not null,
  max_concurrency      integer not null constraint campaign_max_concurrency_positive check (max_concurrency > 0),
  calls_per_second     double precision not null constraint campaign_rate_positive check (calls_per_second > 0),
  max_attempts         integer not null constraint campaign_max_attempts_positive check (max_attempts > 0),
  retry_delays         integer[] not null, -- minutes before the 2nd, 3rd, … attempt; the last one repeats
  retry_on             text[] not null,
  voicemail_action     text not null constraint campaign_voicemail_action check (voicemail_action in ('hang_up', 'leave_message')),
  ring_timeout_seconds integer not null,
  max_duration_seconds integer not null,
  variables            jsonb not null default '{}',
  metadata             jsonb not null default '{}',
  messaging            jsonb,
  waiting              jsonb not null default '[]', -- why nothing is dialed now; written by the dialer
  waiting_at           timestamptz(3),              -- when it was last computed
  total                integer not null default 0,
  completed            integer not null default 0,
  failed               integer not null default 0,
  skipped              integer not null default 0,
  canceled             integer not null default 0,
  expired              integer not null default 0,
  calls_placed         integer not null default 0,
  calls_answered       integer not null default 0,
  outcomes             jsonb not null default '{}', -- its settled calls by outcome: a campaign may have a million
  pace_at              timestamptz,                 -- when the next call may start; microseconds, as in connection
  dial_at              timestamptz(3),              -- when the dialer should look again, to dial or to expire; null when it need not
  created_by           text not null default '',
  created_at           timestamptz(3) not null default clock(),
  started_at           timestamptz(3),
  ended_at             timestamptz(3),
  constraint campaign_tenant unique (organization_id, id),
  foreign key (organization_id, project_id) references project (organization_id, id),
  foreign key (organization_id, agent_id) references agent (organization_id, id),
  foreign key (organization_id, phone_number_id) references phone_number (organization_id, id),
  foreign key (organization_id, connection_id) references connection (organization_id, id),
  constraint campaign_ended check ((status in ('completed', 'canceled', 'failed')) = (ended_at is not null))
) with (fillfactor = 70);
create index campaign_list on campaign (organization_id, created_at desc, id desc);
create index campaign_status_list on campaign (organization_id, status, created_at desc, id desc);
-- What the dialer looks at: campaigns with something to do, soonest first.
create index campaign_dial on campaign (dial_at) where dial_at is not null;
create index campaign_project on campaign (organization_id, project_id) where ended_at is null;
create index campaign_agent on campaign (organization_id, agent_id) where ended_at is null;
create index campaign_phone_number on campaign (organization_id, phone_number_id) where ended_at is null;

create table recipient (
  id              uuid primary key,
  organization_id uuid not null,
  campaign_id     uuid not null,
  phone_number    text not null, -- E.164
  name            text not null default '',
  external_id     text,
  timezone        text,          -- as given by the client
  zones           text[] not null default '{}', -- all must be open; resolved at import from timezone, number or project
  zone_source     text not null constraint recipient_zone_source check (zone_source in ('recipient', 'number', 'project', 'campaign')),
  consent_basis   text,
  consent_at      timestamptz(3),
  variables       jsonb not null default '{}',
  metadata        jsonb not null default '{}',
  status          text not null constraint recipient_status
                    check (status in ('pending', 'dialing', 'in_progress', 'completed', 'failed', 'skipped', 'canceled', 'expired')),
  attempts        integer not null default 0,
  due_at          timestamptz(3), -- when it may be dialed next: schedule, retry delay and calling hours; null unless pending
  wait_reason     text,           -- why due_at is not earlier: scheduled, retry, calling_hours, in_call, carrier
  last_call_id    uuid,
  outcome         text,          -- of the last call, once it is settled
  skip_reason     text,
  created_at      timestamptz(3) not null default clock(),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) on delete cascade
) with (fillfactor = 85);
create index recipient_list on recipient (campaign_id, id desc);
create index recipient_status_list on recipient (campaign_id, status, id desc);
create index recipient_due on recipient (campaign_id, due_at, id) where status = 'pending';
create unique index recipient_external_id_unique on recipient (campaign_id, external_id) where external_id is not null;
create index recipient_number on recipient (organization_id, phone_number);

-- ---------------------------------------------------------------- calls

create table call (
  id                uuid primary key,
  organization_id   uuid not null references organization on delete cascade,
  project_id        uuid not null,
  campaign_id       uuid,
  recipient_id      uuid,
  attempt           integer not null default 1,
  agent_id          uuid not null,
  phone_number_id   uuid not null,
  connection_id     uuid not null,
  carrier           text not null,
  carrier_call_id   text,
  from_number       text not null,
  to_number         text not null,
  recipient_name    text not null default '',
  status            text not null constraint call_status
                      check (status in ('queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled')),
  outcome           text constraint call_outcome
                      check (outcome in ('completed', 'no_answer', 'voicemail', 'busy', 'failed', 'canceled')),
  ended_reason      text,            -- before the end: why we are about to end it
  ended_by          text constraint call_ended_by check (ended_by in ('agent', 'recipient', 'system', 'carrier')),
  answered_by       text constraint call_answered_by check (answered_by in ('human', 'machine', 'unknown')),
  detail            text not null default '', -- the carrier's code or text, for people
  voicemail_action  text not null default 'hang_up',
  ring_timeout_seconds integer not null,
  max_duration_seconds integer not null,
  consent_basis     text,
  consent_at        timestamptz(3),
  variables         jsonb not null default '{}',
  metadata          jsonb not null default '{}',
  recording_url     text,
  analysis          jsonb,
  transcript_text   text not null default '',
  created_at        timestamptz(3) not null default clock(), -- queued_at in the API
  lease_until       timestamptz(3),  -- until when the claiming process may ask the carrier
  asked_at          timestamptz(3),  -- committed before the carrier is asked: null says that it never was
  started_at        timestamptz(3),  -- the carrier accepted it
  ringing_at        timestamptz(3),
  answered_at       timestamptz(3),
  ended_at          timestamptz(3),
  heard_at          timestamptz(3) not null default clock(), -- the last sign of life, for the reconciler; never indexed, so that it is cheap to move
  hang_up_at        timestamptz(3),  -- somebody asked for it
  settle_after      timestamptz(3),  -- not before: a late machine-detection result may still arrive
  settled_at        timestamptz(3),
  constraint call_ended check ((ended_at is not null) = (status in ('completed', 'busy', 'no_answer', 'failed', 'canceled'))),
  constraint call_outcome_when_ended check ((outcome is not null) = (ended_at is not null)),
  constraint call_settled_after_end check (settled_at is null or ended_at is not null)
) with (fillfactor = 70);
create index call_list on call (organization_id, created_at desc, id desc);
create index call_campaign_list on call (organization_id, campaign_id, created_at desc, id desc);
create index call_agent_list on call (organization_id, agent_id, created_at desc, id desc);
create index call_phone_number_list on call (organization_id, phone_number_id, created_at desc, id desc);
create index call_number_list on call (organization_id, to_number, created_at desc, id desc);
create index call_outcome_list on call (organization_id, outcome, created_at desc, id desc) where ended_at is not null;
create index call_campaign_outcome on call (campaign_id, outcome, created_at desc, id desc) where ended_at is not null;
create index call_recipient on call (recipient_id, attempt) where recipient_id is not null;
-- At most one call in flight per organization and number called.
create unique index call_in_flight on call (organization_id, to_number) where ended_at is null;
-- Concurrency is counted from these, never from a counter.
-- The counters of a campaign count these too.
create index call_open_campaign on call (campaign_id) where settled_at is null;
create index call_live_phone_number on call (phone_number_id) where ended_at is null;
create index call_live_connection on call (connection_id) where ended_at is null;
create index call_unsettled on call (settle_after) where ended_at is not null and settled_at is null;

-- The conversation of a call while it is up: stored per turn, so that another
-- process can take the line over. The row goes when the call is settled.
create table call_line (
  call_id         uuid primary key references call on delete cascade,
  organization_id uuid not null,
  epoch           integer not null default 1, -- one more each time a line is opened: the newest holder wins
  turns           integer not null default 0, -- how many there are: the next one's index
  script          jsonb,                      -- of the conversation, as spoken in this call; it never changes
  state           jsonb,                      -- of the conversation, without the script; null until it has begun
  analysis        jsonb,                      -- what the call is to be given when it ends
  human           boolean not null default false, -- the recipient answered a question: no machine, whatever detection says
  closed_at       timestamptz(3),             -- the carrier closed the line in order: no turn follows
  updated_at      timestamptz(3) not null default clock()
) with (fillfactor = 70);

create table call_turn (
  call_id         uuid not null references call on delete cascade,
  index           integer not null,
  organization_id uuid not null,
  role            text not null constraint call_turn_role check (role in ('agent', 'recipient', 'system')),
  text            text not null,
  start_ms        integer,
  end_ms          integer,
  interrupted     boolean not null default false,
  created_at      timestamptz(3) not null default clock(),
  primary key (call_id, index)
);

