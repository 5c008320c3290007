-- The schema. Large tables lead with organization_id, ids are UUIDv7, and every
-- time that clients see is timestamptz(3), so that filters of the API compare
-- exactly what the API prints.

-- ------------------------------------------------------------------- clock

-- clock() is the clock that all processes share: for leases, calling hours, due
-- times and limits. Tests shift it with a database setting. It is volatile: a
-- where clause uses an index only with (select clock()).
create function clock() returns timestamptz
language sql volatile parallel safe as $$
  select date_trunc('milliseconds', clock_timestamp())
       + coalesce(nullif(current_setting('dialwright.clock_offset', true), '')::interval, interval '0')
$$;

-- ------------------------------------------------------------------ status

-- refuse_move rejects a change of status that a trigger's condition does not
-- allow. The code checks the same rules before it writes. The triggers hold for
-- every writer, and cost one comparison if the status stays the same. An illegal
-- move is a check violation with the name of the table.
create function refuse_move() returns trigger
language plpgsql as $$
begin
  raise exception '% % cannot go from % to %', tg_table_name, old.id, old.status, new.status
    using errcode = 'check_violation', constraint = tg_table_name || '_move', table = tg_table_name;
end $$;

-- ---------------------------------------------------------------- accounts

create table organization (
  id                 uuid primary key,
  name               text not null constraint organization_name_length check (char_length(name) between 1 and 100),
  time_zone          text not null default 'UTC', -- IANA
  region             text not null default 'US',  -- ISO 3166-1 alpha-2: how national numbers are read
  max_concurrency    integer constraint organization_max_concurrency_positive
                       check (max_concurrency > 0), -- null: no limit
  calls_per_second   double precision constraint organization_rate_positive
                       check (calls_per_second > 0), -- null: no limit
  max_daily_attempts integer constraint organization_max_daily_attempts_positive
                       check (max_daily_attempts > 0), -- calls to one number in any 24 hours; null: no limit
  calling_stopped_at timestamptz(3), -- when somebody stopped all calling; null: calls may be placed
  calling_stopped_by text not null default '', -- who stopped it, as shown
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
  seen_at         timestamptz(3), -- when the member last used this organization's dashboard; null: never
  created_at      timestamptz(3) not null default clock(),
  primary key (organization_id, user_id)
);
create index membership_user on membership (user_id);

-- An invitation that nobody has accepted yet. The row is deleted when it is
-- accepted or revoked. The audit log keeps both.
create table invitation (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  email           text not null, -- lower case
  role            text not null constraint invitation_role check (role in ('admin', 'staff')),
  token_hash      bytea not null constraint invitation_token_unique unique, -- SHA-256
  invited_by      text not null, -- a name
  created_at      timestamptz(3) not null default clock(),
  expires_at      timestamptz(3) not null,
  constraint invitation_email_unique unique (organization_id, email)
);

-- A link with which a member sets a new password. It is deleted with the membership.
create table password_reset (
  user_id         uuid primary key references app_user on delete cascade,
  organization_id uuid not null,
  token_hash      bytea not null constraint password_reset_token_unique unique, -- SHA-256
  created_at      timestamptz(3) not null default clock(),
  expires_at      timestamptz(3) not null,
  foreign key (organization_id, user_id) references membership on delete cascade
);
create index password_reset_membership on password_reset (organization_id, user_id);

-- The authenticator app of a user (RFC 6238).
create table second_factor (
  user_id    uuid primary key references app_user on delete cascade,
  seed       bytea not null,  -- sealed
  last_step  bigint not null, -- the time step of the newest accepted code: no code is accepted twice
  created_at timestamptz(3) not null default clock()
);

create table recovery_code (
  user_id   uuid not null references second_factor on delete cascade,
  code_hash bytea not null, -- SHA-256; a code has 80 random bits
  primary key (user_id, code_hash)
);

-- The session store of scs, which fixes the names of this table and its columns.
create table sessions (
  token  text primary key,
  data   bytea not null,
  expiry timestamptz not null
);
create index sessions_expiry on sessions (expiry);

-- The product's own row beside each scs session. Deleting it signs that browser out.
create table user_session (
  id              uuid primary key,
  user_id         uuid not null references app_user on delete cascade,
  organization_id uuid not null,
  token_hash      bytea not null constraint user_session_token_unique unique,
  address         inet,
  agent           text not null default '',
  created_at      timestamptz(3) not null default clock(),
  last_seen_at    timestamptz(3) not null default clock(),
  expires_at      timestamptz(3) not null, -- moves with use if ends_at is set
  ends_at         timestamptz(3), -- the latest time that expires_at may move to; null: expires_at is fixed
  foreign key (organization_id, user_id) references membership on delete cascade
);
create index user_session_user on user_session (user_id);
create index user_session_expiry on user_session (expires_at);

-- Failed sign-ins per account and per address. They delay the next try and never
-- lock an account.
create table sign_in_failure (
  subject      text primary key, -- 'account:' or 'address:' and a hash of it
  failures     integer not null,
  last_at      timestamptz(3) not null,
  not_before   timestamptz(3) not null
);

-- The one-time code that allows a person to set up an empty server. At most one row.
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
  display         text not null, -- ik_live_abcd…wxyz
  scopes          text[] not null,
  expires_at      timestamptz(3),
  replaced_by     uuid references api_key on delete set null, -- its successor by rotation; both work until expires_at
  created_by      uuid references app_user on delete set null,
  created_at      timestamptz(3) not null default clock(),
  revoked_at      timestamptz(3),
  revoked_by      uuid references app_user on delete set null
);
create index api_key_organization on api_key (organization_id);
create index api_key_list on api_key (organization_id, created_at desc, id desc) where revoked_at is null;
create index api_key_ended_list on api_key (organization_id, created_at desc, id desc)
  where revoked_at is not null or replaced_by is not null;

-- The rate window and the last use of a key. Every authenticated request updates
-- this row. It is a table of its own, so that a busy key rewrites a few bytes in place.
create table api_key_use (
  api_key_id   uuid primary key references api_key on delete cascade,
  window_start timestamptz(3),
  requests     integer not null default 0,
  last_used_at timestamptz(3),
  last_address inet
) with (fillfactor = 50);

-- use_api_key authenticates a key, counts the request against the key's window
-- and records the key's use, in one round trip. It returns no row if the key is
-- unknown, revoked or expired. The first counted request opens the window. For a
-- request over the limit, allowed is false and nothing is written.
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
  -- The setting lasts until the end of this transaction, which is this statement.
  -- A crash of the server may lose a few counted requests and nothing else.
  perform set_config('synchronous_commit', 'off', true);

  select au.* into u
  from api_key ak join api_key_use au on au.api_key_id = ak.id
  where ak.hash = key_hash
  for no key update of au;
  if not found then
    return;
  end if;

  -- Later statements read the key and the time after the lock, so a key that was
  -- revoked while this request waited is refused.
  select * into k from api_key ak where ak.id = u.api_key_id;
  now := clock();
  if not found or k.revoked_at is not null or k.expires_at <= now then
    return;
  end if;

  -- A window starts in the future only if a clock was set back.
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

-- The audit log outlives the erasure of a person, so data contains no phone numbers.
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
create index audit_entry_actor on audit_entry (organization_id, actor_id, created_at desc, id desc);
create index audit_entry_action on audit_entry (organization_id, action, created_at desc, id desc);
create index audit_entry_type on audit_entry (organization_id, object_type, created_at desc, id desc);
create index audit_entry_system on audit_entry (organization_id, created_at desc, id desc) where actor_kind = 'system';

-- ---------------------------------------------------------------- projects

create table project (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  time_zone       text not null,  -- IANA
  region          text not null,  -- ISO 3166-1 alpha-2
  calling_hours   jsonb not null, -- as in the API
  transcript_days integer constraint project_transcript_days
                    check (transcript_days between 1 and 3650), -- how long transcripts are kept; null: forever
  recording_days  integer constraint project_recording_days
                    check (recording_days between 1 and 3650), -- how long recordings are kept; null: forever
  deactivated_at  timestamptz(3),
  created_at      timestamptz(3) not null default clock(),
  constraint project_tenant unique (organization_id, id)
);
create unique index project_name_unique on project (organization_id, lower(name)) where deactivated_at is null;
create index project_list on project (organization_id, created_at desc, id desc) where deactivated_at is null;

create table agent (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  kind            text not null default 'scripted' constraint agent_kind check (kind in ('scripted')),
  language        text not null, -- BCP 47
  voice           text not null default '',
  script          jsonb not null,
  record_calls    boolean not null default false,
  deactivated_at  timestamptz(3),
  created_at      timestamptz(3) not null default clock(),
  constraint agent_tenant unique (organization_id, id)
);
create index agent_list on agent (organization_id, created_at desc, id desc) where deactivated_at is null;

-- A carrier account of the organization. Its pace and its limits apply to all
-- numbers and campaigns that use it.
create table connection (
  id                 uuid primary key,
  organization_id    uuid not null references organization on delete cascade,
  kind               text not null constraint connection_kind check (kind in ('twilio', 'sandbox')),
  name               text not null,
  account            text not null,  -- the account's ID at the carrier
  credentials        bytea not null, -- sealed
  calls_per_second   double precision constraint connection_rate_positive
                       check (calls_per_second > 0), -- null: no limit
  max_concurrency    integer constraint connection_max_concurrency_positive
                       check (max_concurrency > 0), -- null: no limit
  consecutive_errors integer not null default 0,
  last_error         text,
  last_error_at      timestamptz(3),
  deactivated_at     timestamptz(3),
  created_at         timestamptz(3) not null default clock(),
  constraint connection_tenant unique (organization_id, id)
) with (fillfactor = 80);
-- Two connections to one account would each use the whole pace of the account.
create unique index connection_account_unique on connection (organization_id, account) where deactivated_at is null;
create index connection_list on connection (organization_id, created_at desc, id desc) where deactivated_at is null;

create table phone_number (
  id                    uuid primary key,
  organization_id       uuid not null references organization on delete cascade,
  connection_id         uuid not null, -- never changes
  phone_number          text not null, -- E.164
  name                  text not null default '',
  voice                 boolean not null default true,
  messaging_external_id text, -- messaging_number.external_id of the WhatsApp number that its campaigns send from
  max_concurrency       integer constraint phone_number_max_concurrency_positive
                          check (max_concurrency > 0), -- null: no limit
  calls_per_second      double precision constraint phone_number_rate_positive
                          check (calls_per_second > 0), -- null: no limit
  deactivated_at        timestamptz(3),
  created_at            timestamptz(3) not null default clock(),
  constraint phone_number_tenant unique (organization_id, id),
  foreign key (organization_id, connection_id) references connection (organization_id, id)
);
create unique index phone_number_unique on phone_number (organization_id, phone_number) where deactivated_at is null;
create index phone_number_connection on phone_number (connection_id) where deactivated_at is null;
create index phone_number_list on phone_number (organization_id, created_at desc, id desc)
  where deactivated_at is null;

-- How far the starts of calls have come by the rate of an organization, a connection
-- or a phone number. The dialer writes a row with the calls of every campaign, under
-- the lock of the row that has the rate. Without a row, a call may start at once.
create table pace (
  id              uuid generated always as (coalesce(connection_id, phone_number_id, organization_id)) stored primary key,
  organization_id uuid not null references organization on delete cascade,
  connection_id   uuid,
  phone_number_id uuid,
  last_at         timestamptz, -- when the last call was to start; in microseconds: 300 calls/s are 3.3 ms apart
  rest_until      timestamptz, -- no call may start before, because the carrier got too many
  constraint pace_of_one check (connection_id is null or phone_number_id is null),
  foreign key (organization_id, connection_id) references connection (organization_id, id) on delete cascade,
  foreign key (organization_id, phone_number_id) references phone_number (organization_id, id) on delete cascade
) with (fillfactor = 50);
create index pace_organization on pace (organization_id);

-- ------------------------------------------------------------- do-not-call

-- An entry is for a number. After the erasure of the person, it has the keyed
-- hash of the number instead.
create table do_not_call (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  channel         text not null default 'voice' constraint do_not_call_channel check (channel in ('voice', 'message')),
  phone_number    text,  -- E.164
  number_hash     bytea, -- number_hash() of it
  source          text not null constraint do_not_call_source
                    check (source in ('call', 'user', 'api', 'import', 'message', 'erasure')),
  note            text not null default '',
  call_id         uuid,
  created_by      text not null default '', -- who, as shown; the audit log has the ID
  created_at      timestamptz(3) not null default clock(),
  constraint do_not_call_number check ((phone_number is null) <> (number_hash is null)),
  constraint do_not_call_unique unique (organization_id, channel, phone_number),
  constraint do_not_call_hash_unique unique (organization_id, channel, number_hash)
);
create index do_not_call_list on do_not_call (organization_id, created_at desc, id desc);
create index do_not_call_channel_list on do_not_call (organization_id, channel, created_at desc, id desc);
create index do_not_call_source_list on do_not_call (organization_id, source, created_at desc, id desc);
-- A search for the first digits of numbers compares bytes, whatever the database's collation is.
create index do_not_call_number on do_not_call (organization_id, phone_number collate "C");
create index do_not_call_hashed on do_not_call (organization_id) where number_hash is not null;

-- The key of the hashes of erased numbers, sealed by the master key: somebody
-- with the key and the hashes could try all phone numbers. Each connection of
-- the product gets the key when it opens, as the setting dialwright.number_key.
-- The key never appears in a statement. At most one row.
create table number_key (
  id         boolean primary key default true constraint number_key_one_row check (id),
  sealed     bytea not null,
  created_at timestamptz(3) not null default clock()
);

-- number_hash is HMAC-SHA256 (RFC 2104) of a number of an organization. The two
-- halves of the setting are the key, padded for the inner and the outer hash. On
-- a connection without the key it fails if the list contains hashes, so that no
-- erased person is called.
create function number_hash(organization uuid, number text) returns bytea
language plpgsql stable parallel safe as $$
declare
  pads text := current_setting('dialwright.number_key', true);
begin
  if pads is null or pads = '' then
    if exists (select from do_not_call d where d.organization_id = organization and d.number_hash is not null) then
      raise exception 'this connection was not given the key of the do-not-call list';
    end if;
    return null;
  end if;
  return sha256(decode(right(pads, 128), 'hex')
             || sha256(decode(left(pads, 128), 'hex') || convert_to(organization::text || ' ' || number, 'UTF8')));
end $$;

-- ----------------------------------------------------------------- erasure

-- The erasure of a person by phone number. Any process works on it, in batches.
create table erasure (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  number          bytea, -- sealed; null once completed
  number_hash     bytea not null,
  seen_at         timestamptz, -- the server's time once this row was committed: older transactions may not see the row
  calls           integer not null default 0,
  recipients      integer not null default 0,
  messages        integer not null default 0,
  events          integer not null default 0,
  created_by      text not null default '',
  created_at      timestamptz(3) not null default clock(),
  completed_at    timestamptz(3),
  constraint erasure_completed check ((completed_at is null) = (number is not null))
);
create index erasure_list on erasure (organization_id, created_at desc, id desc);
create unique index erasure_running on erasure (organization_id, number_hash) where completed_at is null;
create index erasure_due on erasure (created_at) where completed_at is null;

-- --------------------------------------------------------------- messaging

-- A WhatsApp Business Account of an organization. An account, and so each of its
-- numbers, is connected at most once in the whole deployment: the operator's
-- limit is kept exactly only if all sends are counted in one place.
create table messaging_connection (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  name            text not null,
  account         text not null,  -- its ID at the operator; never changes
  credentials     bytea not null, -- sealed; empty once disconnected
  portfolio       text not null default '', -- the operator's last known ID of the owning business; empty: unknown
  read_at         timestamptz(3), -- when its numbers and their limit were last read; null: read them now
  listed_at       timestamptz(3), -- when its portfolio and templates were last read; null: read them now
  subscribed_at   timestamptz(3), -- when the operator agreed to send webhooks; null: still to be requested
  paused_reason   text,           -- why nothing is sent over it; null: sending is possible
  paused_until    timestamptz(3), -- when sending is tried again
  last_error      text,           -- of the last read; null if that succeeded
  last_error_at   timestamptz(3),
  disconnected_at timestamptz(3),
  created_at      timestamptz(3) not null default clock(),
  constraint messaging_connection_tenant unique (organization_id, id),
  constraint messaging_connection_paused check ((paused_reason is null) = (paused_until is null))
) with (fillfactor = 80);
create unique index messaging_connection_account_unique on messaging_connection (account) where disconnected_at is null;
create index messaging_connection_list on messaging_connection (organization_id, created_at desc, id desc)
  where disconnected_at is null;
create index messaging_connection_read on messaging_connection (read_at nulls first) where disconnected_at is null;

-- What one limit of the operator covers: a business portfolio with all its
-- numbers, or a number whose account has no portfolio. A scope has no
-- organization: numbers of two organizations may share a portfolio. Its row lock
-- is the send gate, and recipients equals its number of rows in messaging_ledger.
create table messaging_scope (
  id          uuid primary key,
  kind        text not null constraint messaging_scope_kind check (kind in ('portfolio', 'number')),
  external_id text not null, -- of the portfolio or the number, at the operator
  tier        text not null default '', -- the operator's name of the limit
  tier_limit  integer not null default 250 constraint messaging_scope_limit
                check (tier_limit >= 0), -- distinct recipients in 24 hours
  recipients  integer not null default 0 constraint messaging_scope_recipients check (recipients >= 0),
  alarm       text not null default '' constraint messaging_scope_alarm
                check (alarm in ('', 'low', 'exhausted')), -- the last alarm sent; empty again when quota is available
  created_at  timestamptz(3) not null default clock(),
  constraint messaging_scope_unique unique (kind, external_id)
) with (fillfactor = 50);

-- The recipients that count against a scope's limit, each with the time that
-- counts. The next process that locks the scope deletes rows older than 24 hours.
create table messaging_ledger (
  scope_id     uuid not null,
  phone_number text not null,           -- E.164
  counted_at   timestamptz(3) not null, -- the latest admission, acceptance or delivery that counts
  asked_at     timestamptz(3) not null, -- when the operator last got a request to send to it
  primary key (scope_id, phone_number)
) with (fillfactor = 80);
create index messaging_ledger_age on messaging_ledger (scope_id, counted_at);

create table messaging_number (
  id              uuid primary key,
  organization_id uuid not null,
  connection_id   uuid not null,
  scope_id        uuid not null references messaging_scope,
  external_id     text not null, -- its ID at the operator, which is not the phone number
  phone_number    text,          -- E.164
  name            text,          -- as registered
  quality         text not null default '', -- in the operator's words
  status          text not null default '', -- in the operator's words
  rate            integer not null default 80 constraint messaging_number_rate_positive
                    check (rate > 0), -- messages per second
  pace_at         timestamptz,    -- when the next message may be sent; in microseconds
  paused_reason   text,           -- why nothing is sent from it; null: sending is possible
  paused_until    timestamptz(3), -- when sending is tried again
  disconnected_at timestamptz(3), -- when a person disconnected it, or the operator stopped listing it
  created_at      timestamptz(3) not null default clock(),
  constraint messaging_number_tenant unique (organization_id, id),
  constraint messaging_number_paused check ((paused_reason is null) = (paused_until is null)),
  foreign key (organization_id, connection_id) references messaging_connection (organization_id, id) on delete cascade
) with (fillfactor = 70);
create unique index messaging_number_unique on messaging_number (external_id) where disconnected_at is null;
create index messaging_number_list on messaging_number (organization_id, created_at desc, id desc);
create index messaging_number_connection on messaging_number (connection_id) where disconnected_at is null;
create index messaging_number_scope on messaging_number (scope_id) where disconnected_at is null;

-- The recipients who wrote to a number, and the time of the last message of each.
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
  status          text not null,  -- in the operator's words
  category        text not null,  -- in the operator's words
  content         jsonb not null, -- as the operator lists it
  paused_reason   text,           -- why it is not sent; null: sending is possible
  paused_until    timestamptz(3), -- when sending is tried again
  removed_at      timestamptz(3), -- when the operator stopped listing it
  created_at      timestamptz(3) not null default clock(),
  constraint messaging_template_unique unique (connection_id, name, language),
  constraint messaging_template_paused check ((paused_reason is null) = (paused_until is null)),
  foreign key (organization_id, connection_id) references messaging_connection (organization_id, id) on delete cascade
);
create index messaging_template_list on messaging_template (organization_id, created_at desc, id desc)
  where removed_at is null;

-- Messages: the queue of what will be sent and the log of what was sent.
create table message (
  id                uuid primary key, -- version 7; the operator repeats it in every status
  organization_id   uuid not null references organization on delete cascade,
  number_id         uuid not null,
  scope_id          uuid not null, -- the number's; changes with it
  campaign_id       uuid,
  recipient_id      uuid,
  lane              uuid not null, -- the campaign, else the organization: lanes take turns at the gate
  phone_number      text not null, -- the recipient's, E.164
  template_name     text not null,
  template_language text not null,
  variables         jsonb not null default '{}',
  components        jsonb not null default '[]', -- the template's, with the variables filled in
  status            text not null default 'queued' constraint message_status
                      check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'canceled')),
  due_at            timestamptz(3), -- when the gate may consider it; null unless queued
  wait_reason       text constraint message_wait_reason
                      check (wait_reason in ('quota', 'pair_rate', 'template', 'retry', 'recipient_limit')),
  attempts          integer not null default 0,
  refused_class     text,                       -- the kind of the operator's last refusal, as the client names it
  refused_times     integer not null default 0, -- consecutive refusals of that kind: each kind has its own limit
  admitted_at       timestamptz(3), -- when it last passed the gate
  lease_until       timestamptz(3), -- until when the process that admitted it may send the request
  asked_at          timestamptz(3), -- committed before the request to the operator; null: this attempt made no request
  unknown_since     timestamptz(3), -- since when the answer to the request is missing
  operator_id       text, -- the operator's ID of the message
  in_service_window boolean not null default false, -- the recipient had written in the 24 hours before admission
  counted_at        timestamptz(3), -- its latest admission, acceptance or delivery; null: it does not count
  error_code        integer, -- the operator's; null if it gave none
  error             text,    -- for people: why it failed, was canceled or waits
  created_by        text not null default '',
  created_at        timestamptz(3) not null default clock(),
  sent_at           timestamptz(3),
  delivered_at      timestamptz(3),
  read_at           timestamptz(3),
  ended_at          timestamptz(3), -- when it failed or was canceled
  constraint message_due check ((due_at is not null) = (status = 'queued')),
  constraint message_waits check (wait_reason is null or status = 'queued'),
  constraint message_leased check ((lease_until is not null) = (status = 'sending')),
  constraint message_ended check ((ended_at is not null) = (status in ('failed', 'canceled'))),
  foreign key (organization_id, number_id) references messaging_number (organization_id, id)
) with (fillfactor = 60);
create index message_list on message (organization_id, created_at desc, id desc);
create index message_status_list on message (organization_id, status, created_at desc, id desc);
create index message_number_list on message (organization_id, phone_number, created_at desc, id desc);
create index message_campaign_list on message (campaign_id, created_at desc, id desc) where campaign_id is not null;
create index message_sent on message (organization_id, sent_at) include (status) where sent_at is not null;
create index message_refused on message (organization_id, ended_at) where status = 'failed' and sent_at is null;
-- A recipient gets one message of a campaign, even if a call is settled twice.
create unique index message_recipient on message (recipient_id) where recipient_id is not null;
-- The queue. Messages that wait for quota keep their order of arrival.
create index message_queue on message (number_id, lane, due_at, id)
  where status = 'queued' and wait_reason is distinct from 'quota';
create index message_waiting on message (number_id, lane, id) where status = 'queued' and wait_reason = 'quota';
create index message_lease on message (lease_until) where status = 'sending' and unknown_since is null;
create index message_unknown on message (unknown_since) where status = 'sending' and unknown_since is not null;
create index message_operator on message (operator_id) where operator_id is not null;
create index message_counted on message (scope_id, phone_number, counted_at) where counted_at is not null;

-- --------------------------------------------------------------- campaigns

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
  retry_outcome_delays jsonb not null default '{}', -- the same by outcome, for outcomes with delays of their own
  retry_on             text[] not null,
  voicemail_action     text not null constraint campaign_voicemail_action
                         check (voicemail_action in ('hang_up', 'leave_message')),
  ring_timeout_seconds integer not null,
  max_duration_seconds integer not null,
  variables            jsonb not null default '{}',
  metadata             jsonb not null default '{}',
  messaging            jsonb, -- as in the API
  messaging_trigger    text,  -- when recipients get their message; null: they get none
  messaging_number_id  uuid,  -- the number that sends it: messaging names one, or else the phone number does
  waiting              jsonb not null default '[]', -- why no call is placed now; the dialer writes it
  waiting_at           timestamptz(3), -- when waiting was computed
  held                 text, -- the wait reason that the campaign's log gave last; null: the campaign does not wait
  total                integer not null default 0,
  completed            integer not null default 0,
  failed               integer not null default 0,
  skipped              integer not null default 0,
  canceled             integer not null default 0,
  expired              integer not null default 0,
  calls_placed         integer not null default 0,
  calls_answered       integer not null default 0,
  outcomes             jsonb not null default '{}', -- settled calls by outcome: a campaign may have a million calls
  answered_by_person   integer not null default 0,  -- settled calls, as are the next three
  opted_out            integer not null default 0,
  abandoned            integer not null default 0,
  short_calls          integer not null default 0,
  pace_at              timestamptz,    -- when the next call may start, by the campaign's own rate; in microseconds
  dial_at              timestamptz(3), -- when the dialer's next pass is due, to dial or to expire; null: none is needed
  created_by           text not null default '',
  created_at           timestamptz(3) not null default clock(),
  started_at           timestamptz(3),
  ended_at             timestamptz(3),
  constraint campaign_tenant unique (organization_id, id),
  constraint campaign_ended check ((status in ('completed', 'canceled', 'failed')) = (ended_at is not null)),
  constraint campaign_messaging check (
    (messaging_trigger is null) = (messaging_number_id is null)
    and messaging_trigger in ('before_call', 'no_answer', 'after_call')),
  foreign key (organization_id, project_id) references project (organization_id, id),
  foreign key (organization_id, agent_id) references agent (organization_id, id),
  foreign key (organization_id, phone_number_id) references phone_number (organization_id, id),
  foreign key (organization_id, connection_id) references connection (organization_id, id),
  foreign key (organization_id, messaging_number_id) references messaging_number (organization_id, id)
) with (fillfactor = 70);
create index campaign_list on campaign (organization_id, created_at desc, id desc);
create index campaign_status_list on campaign (organization_id, status, created_at desc, id desc);
create index campaign_project_list on campaign (organization_id, project_id, created_at desc, id desc);
create index campaign_agent_list on campaign (organization_id, agent_id, created_at desc, id desc);
-- The dialer takes campaigns from this index, the longest due first.
create index campaign_dial on campaign (dial_at) where dial_at is not null;
create index campaign_project on campaign (organization_id, project_id) where ended_at is null;
create index campaign_agent on campaign (organization_id, agent_id) where ended_at is null;
create index campaign_phone_number on campaign (organization_id, phone_number_id) where ended_at is null;

create trigger campaign_move before update of status on campaign for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('scheduled', 'running'), ('scheduled', 'paused'), ('scheduled', 'completed'), ('scheduled', 'canceled'),
  ('scheduled', 'failed'),
  ('running', 'paused'), ('running', 'completed'), ('running', 'canceled'), ('running', 'failed'),
  ('paused', 'scheduled'), ('paused', 'running'), ('paused', 'completed'), ('paused', 'canceled'),
  ('paused', 'failed')))
execute function refuse_move();

create table recipient (
  id              uuid primary key,
  organization_id uuid not null,
  campaign_id     uuid not null,
  phone_number    text not null, -- E.164
  name            text not null default '',
  external_id     text,
  timezone        text, -- as given by the client
  zones           text[] not null default '{}', -- calling hours must be open in all of them; resolved at import
  zone_source     text not null constraint recipient_zone_source
                    check (zone_source in ('recipient', 'number', 'project', 'campaign')),
  consent_basis   text,
  consent_at      timestamptz(3),
  variables       jsonb not null default '{}',
  metadata        jsonb not null default '{}',
  status          text not null constraint recipient_status
                    check (status in ('pending', 'dialing', 'in_progress', 'completed', 'failed', 'skipped', 'canceled',
                                      'expired')),
  attempts        integer not null default 0,
  due_at          timestamptz(3), -- when the next call may be placed; null unless pending
  wait_reason     text,           -- why due_at is not earlier: the Wait… constants of the code
  messaged_at     timestamptz(3), -- when the message before the first call was queued: calls follow their messages
  last_call_id    uuid,
  outcome         text, -- of the last call, once it is settled
  opted_out       boolean not null default false, -- asked on a call not to be called again; written at settlement
  skip_reason     text,
  created_at      timestamptz(3) not null default clock(),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) on delete cascade
) with (fillfactor = 85);
create index recipient_list on recipient (campaign_id, id desc);
create index recipient_status_list on recipient (campaign_id, status, id desc);
create index recipient_outcome_list on recipient (campaign_id, outcome, id desc) where outcome is not null;
create index recipient_opted_out_list on recipient (campaign_id, id desc) where opted_out;
create index recipient_number on recipient (organization_id, phone_number);
create unique index recipient_external_id_unique on recipient (campaign_id, external_id) where external_id is not null;
create index recipient_due on recipient (campaign_id, due_at, id) where status = 'pending';
create index recipient_messaged on recipient (campaign_id, due_at, id)
  where status = 'pending' and messaged_at is not null;
create index recipient_held on recipient (campaign_id, due_at) where status = 'pending' and wait_reason = 'message';

create trigger recipient_move before update of status on recipient for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('pending', 'dialing'), ('pending', 'skipped'), ('pending', 'canceled'), ('pending', 'expired'),
  ('dialing', 'pending'), ('dialing', 'completed'), ('dialing', 'failed'), ('dialing', 'canceled'),
  ('dialing', 'expired')))
execute function refuse_move();

-- The decisions about a campaign, kept as long as the campaign. A reason not to
-- call gets an entry when it changes. Events of many recipients or calls are
-- counted in one entry per period.
create table campaign_log_entry (
  id              uuid primary key,
  organization_id uuid not null,
  campaign_id     uuid not null,
  kind            text not null,
  period          timestamptz(3), -- when the period of a counting entry began; null: an entry for one event
  actor_kind      text not null constraint campaign_log_entry_actor check (actor_kind in ('user', 'api_key', 'system')),
  actor_name      text not null,
  data            jsonb not null default '{}',
  created_at      timestamptz(3) not null default clock(),
  updated_at      timestamptz(3) not null default clock(), -- when the count last changed
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) on delete cascade
);
create index campaign_log_entry_list on campaign_log_entry (organization_id, campaign_id, created_at desc, id desc);
create unique index campaign_log_entry_period on campaign_log_entry (campaign_id, kind, period)
  where period is not null;

-- ------------------------------------------------------------------- calls

-- A call's row is written about ten times, and PostgreSQL parses every check
-- constraint of the table each time. So one constraint states all rules.
create table call (
  id                    uuid primary key,
  organization_id       uuid not null references organization on delete cascade,
  project_id            uuid not null,
  campaign_id           uuid,
  recipient_id          uuid,
  attempt               integer not null default 1,
  agent_id              uuid not null,
  phone_number_id       uuid not null,
  connection_id         uuid not null,
  carrier               text not null,
  carrier_call_id       text,
  from_number           text not null,
  to_number             text not null,
  recipient_name        text not null default '',
  status                text not null,
  outcome               text,
  ended_reason          text, -- before the end: why the system is about to end it
  ended_by              text,
  answered_by           text,
  detail                text not null default '', -- the carrier's code or text, for people
  voicemail_action      text not null default 'hang_up',
  ring_timeout_seconds  integer not null,
  max_duration_seconds  integer not null,
  consent_basis         text,
  consent_at            timestamptz(3),
  variables             jsonb not null default '{}',
  metadata              jsonb not null default '{}',
  analysis              jsonb,
  transcript_text       text not null default '',
  transcript_removed_at timestamptz(3), -- when retention or an erasure removed it
  record                boolean not null default false, -- whether the carrier records; the agent's setting at the claim
  recording_id          text, -- the carrier's
  recording_seconds     integer,
  recording_due_at      timestamptz(3), -- when to ask the carrier for a recording whose callback has not come
  recording_removed_at  timestamptz(3), -- when retention or an erasure removed it: one reported later is deleted too
  created_at            timestamptz(3) not null default clock(), -- queued_at in the API
  instance_id           uuid, -- the process that claimed it
  lease_until           timestamptz(3), -- until when that process may request it from the carrier
  asked_at              timestamptz(3), -- committed before the request; null: it was never requested
  started_at            timestamptz(3), -- when the carrier accepted it
  ringing_at            timestamptz(3),
  answered_at           timestamptz(3),
  ended_at              timestamptz(3),
  heard_at              timestamptz(3) not null default clock(), -- the last sign of life; in no index: cheap to update
  hang_up_at            timestamptz(3), -- when somebody requested the end
  settle_after          timestamptz(3), -- the earliest settlement: a voicemail detection may still arrive
  settled_at            timestamptz(3),
  constraint call_state check (
    case when ended_at is null
      then status in ('queued', 'ringing', 'in_progress') and outcome is null and settled_at is null
      else status in ('completed', 'busy', 'no_answer', 'failed', 'canceled')
       and outcome is not null and outcome in ('completed', 'no_answer', 'voicemail', 'busy', 'failed', 'canceled')
    end
    and ended_by in ('agent', 'recipient', 'system', 'carrier')
    and answered_by in ('human', 'machine', 'unknown'))
) with (fillfactor = 70);
create index call_list on call (organization_id, created_at desc, id desc);
create index call_campaign_list on call (organization_id, campaign_id, created_at desc, id desc);
create index call_project_list on call (organization_id, project_id, created_at desc, id desc);
create index call_agent_list on call (organization_id, agent_id, created_at desc, id desc);
create index call_phone_number_list on call (organization_id, phone_number_id, created_at desc, id desc);
create index call_number_list on call (organization_id, to_number, created_at desc, id desc);
create index call_outcome_list on call (organization_id, outcome, created_at desc, id desc) where ended_at is not null;
create index call_campaign_outcome on call (campaign_id, outcome, created_at desc, id desc) where ended_at is not null;
create index call_recipient on call (recipient_id, attempt) where recipient_id is not null;
-- An organization has at most one call in flight to a number.
create unique index call_in_flight on call (organization_id, to_number) where ended_at is null;
-- Concurrency is counted in these indexes, never in a counter. The figures of a
-- campaign are its counters and the calls of call_open_campaign.
create index call_open_campaign on call (campaign_id) where settled_at is null;
create index call_live_phone_number on call (phone_number_id) where ended_at is null;
create index call_live_connection on call (connection_id) where ended_at is null;
create index call_unsettled on call (settle_after) where ended_at is not null and settled_at is null;
-- Retention finds transcripts and recordings to remove. The condition on
-- transcript_text becomes true only when the call ends: a condition on answered_at
-- would make PostgreSQL update every index of the call when it is answered.
create index call_transcript_kept on call (project_id, ended_at) where settled_at is not null and transcript_text <> '';
create index call_recording_kept on call (project_id, ended_at)
  where recording_id is not null and settled_at is not null;
create index call_recording_due on call (recording_due_at) where recording_due_at is not null;

create trigger call_move before update of status on call for each row
when (old.status <> new.status and (
  old.status not in ('queued', 'ringing', 'in_progress')
  or new.status = 'queued'
  or old.status = 'in_progress' and new.status = 'ringing'))
execute function refuse_move();

-- The conversation of a live call. It is stored at every turn, so that another
-- process can take over the line. The row is deleted at settlement.
create table call_line (
  call_id         uuid primary key references call on delete cascade,
  organization_id uuid not null,
  instance_id     uuid, -- the process that holds the line
  epoch           integer not null default 1, -- rises each time a line is opened: the newest holder wins
  turns           integer not null default 0, -- the number of turns, and so the next turn's index
  -- A holder repeats a write while the database is away, without knowing whether
  -- the first one was carried out. So it numbers its entries, and the row has the
  -- number of the last one written.
  entry           integer not null default 0, -- the last entry that the holder of this epoch has written
  held            boolean not null default true, -- the holder may have more to write
  script          jsonb, -- the conversation's script, as spoken in this call; it never changes
  state           jsonb, -- the conversation's state without the script; null until it begins
  analysis        jsonb, -- what the call's analysis becomes when it ends
  human           boolean not null default false, -- the recipient did what only a person does: overrides voicemail detection
  closed_at       timestamptz(3), -- when the carrier closed the line in order: no turn follows
  updated_at      timestamptz(3) not null default clock()
) with (fillfactor = 70);

-- Replaced holders of earlier epochs that may still have words to write. A row is
-- deleted when they are written, when there are none, or with the line.
create table call_line_former (
  call_id uuid not null references call_line on delete cascade,
  epoch   integer not null,
  entry   integer not null, -- the last entry that this holder has written
  turns   integer not null, -- its next turn has this index
  primary key (call_id, epoch)
);

-- A turn has no foreign key to its call, which would lock the call's row at each
-- turn. The holder of the line writes a turn in the statement that updates
-- call_line, and that row refers to the call.
create table call_turn (
  call_id         uuid not null,
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

-- call_turn_delete deletes the turns of a deleted call. PostgreSQL fires triggers
-- in the order of their names, so this one follows RI_ConstraintTrigger…, which
-- deletes call_line. No turn is written after that.
create function call_turn_delete() returns trigger language plpgsql as $$
begin
  delete from call_turn where call_id = old.id;
  return null;
end
$$;
create trigger call_turn_delete after delete on call for each row execute function call_turn_delete();

-- The figures of the calls of each hour, so that the overview reads a few thousand
-- rows for any number of calls. The settlement of a call adds to them. A row
-- belongs to one campaign, which every settlement of its calls locks anyway.
create table call_hour (
  organization_id uuid not null references organization on delete cascade,
  campaign_id     uuid,                 -- null: calls without a campaign
  starts_at       timestamptz not null, -- a full hour in the organization's time zone, of the queued_at of its calls
  completed       integer not null default 0,
  no_answer       integer not null default 0,
  voicemail       integer not null default 0,
  busy            integer not null default 0,
  failed          integer not null default 0,
  canceled        integer not null default 0,
  placed          integer not null default 0, -- accepted by the carrier
  reached         integer not null default 0, -- answered by a person
  talk_ms         bigint not null default 0,  -- with people
  opted_out       integer not null default 0, -- the recipient asked on the call not to be called again
  constraint call_hour_unique unique nulls not distinct (organization_id, starts_at, campaign_id)
) with (fillfactor = 70);

-- ------------------------------------------------------------- call search

-- search_language is the text search configuration for a language (BCP 47): one
-- of PostgreSQL's own, or 'simple', which searches whole words.
create function search_language(tag text) returns text language sql immutable parallel safe as $$
  select coalesce((
    array['arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german',
          'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian',
          'norwegian', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil',
          'turkish', 'yiddish']
  )[array_position(
    array['ar', 'hy', 'eu', 'ca', 'da', 'nl', 'en', 'fi', 'fr', 'de',
          'el', 'hi', 'hu', 'id', 'ga', 'it', 'lt', 'ne', 'no',
          'nb', 'nn', 'pt', 'ro', 'ru', 'sr', 'es', 'sv', 'ta',
          'tr', 'yi'],
    lower(split_part(replace(tag, '_', '-'), '-', 1))
  )], 'simple')
$$;

-- search_text is what was said, without the speakers' names. It takes the first
-- 100,000 characters, which is more than an hour of speech: a tsvector has at most
-- 1 MB, and the end of a call must not fail because of its length.
create function search_text(transcript text) returns text language sql immutable parallel safe as $$
  select regexp_replace(left(transcript, 100000), '^(Agent|Recipient): ', '', 'gn')
$$;

-- The searchable words of each ended call in which something was said. The table
-- is separate because a call's row is written about ten times and this one once.
-- Triggers keep it up to date, so code that writes, clears or deletes a
-- transcript needs no search code.
create table call_search (
  call_id         uuid primary key,
  organization_id uuid not null,
  created_at      timestamptz(3) not null, -- the call's, as are the next three, which never change
  campaign_id     uuid,
  agent_id        uuid not null,
  phone_number_id uuid not null,
  language        text not null,    -- the configuration that read the words; the agent's language may change later
  document        tsvector not null -- the words of the transcript
) with (toast_tuple_target = 8160); -- keeps most documents in the row: a search for a common word reads row by row
create index call_search_list on call_search (organization_id, created_at desc, call_id desc);
create index call_search_language on call_search (organization_id, language);

-- search_keys are what a search finds a call by: its words, and what else narrows
-- a search, in the same index, so that PostgreSQL skips all other calls inside it.
--
-- This index has no order by time, and the lists of common words are long. So each
-- call also has keys for the blocks of time that contain it, in five sizes, each
-- 16 times the one before: 1 hour, 16 hours, 11 days, 171 days, 7 years. A search
-- goes back from block to block, and reads at most the matches of one block.
-- Every key that is not an ID begins with a part of the organization's ID, so that
-- an organization's words have lists of their own.
create function search_keys(
  organization_id uuid, created_at timestamptz, campaign_id uuid, agent_id uuid, phone_number_id uuid, document tsvector
) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(
      select right(organization_id::text, 8) || 'w' || left(word, 200)
      from unnest(tsvector_to_array(document)) word)
    || array(
      select right(organization_id::text, 8) || level
          || (extract(epoch from created_at)::bigint / (3600 * (1 << 4 * level)))
      from generate_series(0, 4) level)
    || array['a' || agent_id, 'n' || phone_number_id, coalesce('c' || campaign_id, 'c')])
$$;

-- New rows wait in a short list before PostgreSQL sorts them into the index, which
-- halves the cost. Every search reads the list, so it is kept short.
create index call_search_keys on call_search
  using gin (search_keys(organization_id, created_at, campaign_id, agent_id, phone_number_id, document))
  with (fastupdate = on, gin_pending_list_limit = 1024);

create function call_search_write() returns trigger language plpgsql as $$
declare
  config text;
begin
  if tg_op = 'DELETE' or new.transcript_text = '' then
    delete from call_search where call_id = old.id;
    return null;
  end if;
  config := coalesce((select language from call_search where call_id = new.id),
                     (select search_language(language) from agent where id = new.agent_id), 'simple');
  insert into call_search
    (call_id, organization_id, created_at, campaign_id, agent_id, phone_number_id, language, document)
  values (new.id, new.organization_id, new.created_at, new.campaign_id, new.agent_id, new.phone_number_id, config,
          to_tsvector(config::regconfig, search_text(new.transcript_text)))
  on conflict (call_id) do update set document = excluded.document;
  return null;
end
$$;

-- The transcript is written when the call ends, by a statement that locks only
-- the call. Settlement would do this work under the lock of a campaign.
create trigger call_search_insert after insert on call for each row
  when (new.transcript_text <> '')
  execute function call_search_write();
create trigger call_search_update after update of transcript_text on call for each row
  when (old.transcript_text is distinct from new.transcript_text)
  execute function call_search_write();
create trigger call_search_delete after delete on call for each row
  when (old.transcript_text <> '')
  execute function call_search_write();

-- -------------------------------------------------------------- recordings

-- A recording that is removed here and still exists at the carrier. The carrier is
-- asked until it has deleted the recording. Then the row is deleted.
create table recording_deletion (
  call_id         uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  connection_id   uuid not null,
  recording_id    text,           -- null: unknown, and looked up by carrier_call_id
  carrier_call_id text,
  look_until      timestamptz(3), -- until when an unknown recording is looked up; after that it was never made
  erasure_id      uuid references erasure on delete set null, -- the erasure that requested it
  attempts        integer not null default 0,
  last_error      text, -- fit to be shown
  due_at          timestamptz(3) not null default clock(),
  created_at      timestamptz(3) not null default clock(),
  foreign key (organization_id, connection_id) references connection (organization_id, id),
  constraint recording_deletion_findable check (recording_id is not null or carrier_call_id is not null)
);
create index recording_deletion_due on recording_deletion (due_at);
create index recording_deletion_erasure on recording_deletion (erasure_id) where erasure_id is not null;

-- ---------------------------------------------------------------- webhooks

create table webhook (
  id                    uuid primary key,
  organization_id       uuid not null references organization on delete cascade,
  name                  text not null,
  url                   text not null,
  events                text[] not null, -- types, families (call.*) or *
  is_active             boolean not null default true,
  disabled_reason       text constraint webhook_disabled
                          check (disabled_reason in ('failing', 'gone')), -- by the system; null: a person paused it
  inactive_since        timestamptz(3),  -- the events since then were missed
  secret                bytea not null,  -- sealed
  previous_secret       bytea,           -- sealed; signs too while a rotation overlaps
  previous_secret_until timestamptz(3),
  failing_since         timestamptz(3),  -- the first failed attempt since the last success
  failures              integer not null default 0, -- failed attempts since then
  last_failure_at       timestamptz(3),
  last_success_at       timestamptz(3),  -- updated at most once a minute while all attempts succeed
  is_holding            boolean not null default false, -- it has rows of delivery_due in the state held
  created_by            text not null default '',
  created_at            timestamptz(3) not null default clock(),
  deleted_at            timestamptz(3),  -- deleted for all users; its log is deleted in batches
  constraint webhook_inactive check (is_active = (inactive_since is null)),
  constraint webhook_disabled_inactive check (disabled_reason is null or not is_active)
) with (fillfactor = 70);
create index webhook_list on webhook (organization_id, created_at desc, id desc) where deleted_at is null;
create index webhook_release on webhook (id) where is_holding and is_active;
create index webhook_deleted on webhook (deleted_at) where deleted_at is not null;

-- The attempts of a webhook by day, counted when they are written, so that its
-- page need not read the log.
create table webhook_day (
  webhook_id uuid not null references webhook on delete cascade,
  day        date not null,              -- in the organization's time zone
  succeeded  integer not null default 0, -- attempts
  failed     integer not null default 0, -- attempts
  primary key (webhook_id, day)
) with (fillfactor = 70);

-- An event of a call, a campaign and so on. The transaction that causes it writes
-- it, if the organization has a webhook for it. It is kept as long as the
-- deliveries.
create table event (
  id              uuid primary key, -- version 7; the webhook-id of its deliveries
  organization_id uuid not null,
  type            text not null,
  subject_id      uuid not null, -- the call, recipient, campaign, … that it is about
  payload         text not null, -- the body, byte for byte
  is_test         boolean not null default false, -- a test of one webhook: other webhooks and recoveries skip it
  created_at      timestamptz(3) not null
);
create index event_list on event (organization_id, created_at, id);
create index event_subject on event (organization_id, subject_id);

-- One event for one webhook. This table and the next two have no foreign key to
-- the webhook: each insert would lock the row that all its deliveries share.
create table delivery (
  id              uuid primary key,
  organization_id uuid not null,
  webhook_id      uuid not null,
  event_id        uuid not null,
  event_type      text not null,
  status          text not null default 'pending' constraint delivery_status
                    check (status in ('pending', 'succeeded', 'failed')),
  attempts        integer not null default 0,
  response_status integer,        -- of the last attempt
  error           text,           -- of the last attempt, for people; null if it succeeded
  duration_ms     integer,        -- of the last attempt
  next_attempt_at timestamptz(3), -- null: none is planned
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
  number           integer not null, -- 1, 2, …
  manual           boolean not null default false, -- a person requested it: outside the schedule
  url              text not null,
  signed_at        bigint not null,  -- webhook-timestamp: Unix seconds
  signature        text not null,    -- webhook-signature, as sent
  outcome          text not null constraint delivery_attempt_outcome
                     check (outcome in ('succeeded', 'status', 'timeout', 'dns', 'connect', 'tls', 'blocked',
                                        'protocol')),
  error            text, -- for people; null if it succeeded
  remote_address   inet,
  reconnected      boolean not null default false, -- over a second connection: the first closed before a byte was sent
  response_status  integer,
  response_headers jsonb,
  response_body    bytea, -- the first 16 KiB
  response_cut     boolean not null default false, -- the body was longer
  dns_ms           real,
  connect_ms       real,
  tls_ms           real,
  first_byte_ms    real, -- from the end of the request to the first byte of the response
  duration_ms      integer not null,
  started_at       timestamptz(3) not null,
  primary key (delivery_id, number)
);

-- The only queue: a narrow row for each attempt to be made, deleted when it is
-- made. The claim reads the webhooks that have ready rows, so only rows that an
-- engine may send are ready. A waiting row becomes ready at its time, and a leased
-- row of a dead process at the end of the lease. Rows of an inactive webhook are held.
create table delivery_due (
  delivery_id uuid not null,
  manual      boolean not null default false, -- a person requested it: one attempt, even if the webhook is inactive
  webhook_id  uuid not null,
  step        smallint not null default 0,    -- its place in the schedule of retries
  state       text not null default 'ready' constraint delivery_due_state
                check (state in ('ready', 'waiting', 'leased', 'held')),
  due_at      timestamptz not null,           -- when a waiting or leased row becomes ready
  lease       bigint,                         -- of the process that claimed it
  lost        smallint not null default 0,    -- claims without a result since the last result
  constraint delivery_due_once primary key (delivery_id, manual),
  constraint delivery_due_lease check ((state = 'leased') = (lease is not null))
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0
);
create index delivery_due_ready on delivery_due (webhook_id, due_at) where state = 'ready';
create index delivery_due_later on delivery_due (due_at) where state in ('waiting', 'leased');
create index delivery_due_held on delivery_due (webhook_id) where state = 'held';

-- The recovery of a webhook's missed and failed events, from since to until, in batches.
create table webhook_recovery (
  id              uuid primary key,
  organization_id uuid not null,
  webhook_id      uuid not null,
  since           timestamptz(3) not null,
  until           timestamptz(3) not null, -- when it was requested: later events are delivered anyway
  at              timestamptz(3) not null, -- how far it has come
  after_id        uuid, -- the last event of that moment that is done
  retried         integer not null default 0, -- failed deliveries that it queued again
  added           integer not null default 0, -- events that had no delivery
  created_by      text not null default '',
  created_at      timestamptz(3) not null default clock(),
  finished_at     timestamptz(3)
);
create index webhook_recovery_list on webhook_recovery (webhook_id, created_at desc, id desc);
create unique index webhook_recovery_one on webhook_recovery (webhook_id) where finished_at is null;

-- ----------------------------------------------------------------- uploads

-- A file between its upload and the decision about it, such as a list of
-- recipients for a new campaign. It is sealed and expires within hours, because
-- nobody has agreed to keep it.
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

-- The content, compressed and in pieces that are sealed one by one, so that no
-- process has a whole file in memory.
create table upload_piece (
  upload_id uuid not null references upload on delete cascade,
  position  integer not null,
  sealed    bytea not null,
  primary key (upload_id, position)
);
-- Sealed data does not compress. Create table has no such clause before PostgreSQL 16.
alter table upload_piece alter column sealed set storage external;

-- --------------------------------------------------------------- processes

-- The processes that claim calls and hold lines. Each one renews its row every few
-- seconds. A row that is not renewed belongs to a dead process: the process that
-- notices deletes it and has the calls of the dead one looked up at once.
create table instance (
  id      uuid primary key,
  seen_at timestamptz(3) not null
) with (fillfactor = 50);
