-- How the members of an organization sign in at its OpenID provider.
create table single_sign_on (
  organization_id uuid primary key references organization on delete cascade,
  address         text not null constraint single_sign_on_address_unique unique
                    constraint single_sign_on_address check (address ~ '^[a-z0-9][a-z0-9-]{1,49}$'),
  label           text not null,
  issuer          text not null,
  client_id       text not null,
  client_secret   bytea not null, -- sealed
  domains         text[] not null, -- of the addresses that may sign in without an invitation; lower case
  creates_members boolean not null,
  role_claim      text not null, -- '': the provider knows no roles
  admin_values    text[] not null,
  manager_values  text[] not null,
  staff_values    text[] not null,
  default_role    text constraint single_sign_on_default_role
                    check (default_role in ('admin', 'manager', 'staff')), -- null: no access
  passwords_off   boolean not null,
  signed_in_at    timestamptz(3), -- the last sign-in with this issuer and client; null: none yet
  created_at      timestamptz(3) not null default clock()
);
create index single_sign_on_domains on single_sign_on using gin (domains);

-- Whom a provider means by a subject. It stays when single sign-on is turned off, so that the same person is known
-- when it is turned on again.
create table single_sign_on_identity (
  organization_id uuid not null,
  issuer          text not null,
  subject         text not null,
  user_id         uuid not null,
  created_at      timestamptz(3) not null default clock(),
  primary key (organization_id, issuer, subject),
  constraint single_sign_on_identity_user unique (organization_id, user_id, issuer),
  foreign key (organization_id, user_id) references membership on delete cascade
);

-- The sign-ins that a browser has completed, so that none is completed twice. A row is kept as long as its ticket.
create table single_sign_on_use (
  state_hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index single_sign_on_use_expiry on single_sign_on_use (expires_at);

-- The session was opened by the organization's provider, and opens nothing but this organization.
alter table user_session add column single_sign_on boolean not null default false;
