-- People: invitations, links to a new password, second factors, forms kept over
-- a session that ended; and what the audit log is filtered by.

-- When a member last used the dashboard of this organization; null: never.
alter table membership add column seen_at timestamptz(3);

-- An address that was invited and has not joined yet. Accepting or taking back
-- deletes the row; the audit log remembers.
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

-- A link by which a member sets a new password. It dies with the membership.
create table password_reset (
  user_id         uuid primary key references app_user on delete cascade,
  organization_id uuid not null,
  token_hash      bytea not null constraint password_reset_token_unique unique, -- SHA-256
  created_at      timestamptz(3) not null default clock(),
  expires_at      timestamptz(3) not null,
  foreign key (organization_id, user_id) references membership on delete cascade
);
create index password_reset_membership on password_reset (organization_id, user_id);

-- Codes of an authenticator app (RFC 6238).
create table second_factor (
  user_id    uuid primary key references app_user on delete cascade,
  seed       bytea not null,  -- sealed
  last_step  bigint not null, -- the newest time step a code was taken of: none is taken twice
  created_at timestamptz(3) not null default clock()
);
create table recovery_code (
  user_id   uuid not null references second_factor on delete cascade,
  code_hash bytea not null, -- SHA-256; a code has 80 random bits
  primary key (user_id, code_hash)
);

-- What somebody had typed when their session turned out to be over, until they
-- have signed in again.
create table kept_form (
  id              uuid primary key,
  user_id         uuid not null references app_user on delete cascade,
  organization_id uuid not null references organization on delete cascade,
  form            bytea not null, -- sealed
  expires_at      timestamptz(3) not null
);
create index kept_form_user on kept_form (user_id, id desc);

-- The audit log outlives the erasure of a person, so it holds no number of one.
update audit_entry
set data = (data - 'phone_number' - 'to_number') || case when data ? 'phone_number' then jsonb_build_object('ends_in', right(data->>'phone_number', 2)) else '{}' end
where object_type in ('do_not_call', 'message') and data ?| array['phone_number', 'to_number'];

-- The audit log by who, by what was done and by what it was done to.
create index audit_entry_actor on audit_entry (organization_id, actor_id, created_at desc, id desc);
create index audit_entry_action on audit_entry (organization_id, action, created_at desc, id desc);
create index audit_entry_type on audit_entry (organization_id, object_type, created_at desc, id desc);
create index audit_entry_system on audit_entry (organization_id, created_at desc, id desc) where actor_kind = 'system';
