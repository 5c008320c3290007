-- What needs a person, or needed one in the last 30 days.
create table alert (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  kind            text not null,
  subject_id      uuid not null, -- of the row that the kind is about
  name            text not null, -- of the subject; empty for a follow-up, whose person may be erased
  detail          text not null, -- for people
  user_id         uuid,          -- the member whom it concerns; null: everybody
  created_at      timestamptz(3) not null default clock(),
  resolved_at     timestamptz(3)
);
create unique index alert_open on alert (organization_id, kind, subject_id) where resolved_at is null;
create index alert_subject on alert (organization_id, kind, subject_id, resolved_at);
create index alert_open_kind on alert (kind) where resolved_at is null;
create index alert_open_list on alert (organization_id, created_at desc, id desc) where resolved_at is null;
create index alert_resolved_list on alert (organization_id, created_at desc, id desc) where resolved_at is not null;
create index alert_age on alert (resolved_at) where resolved_at is not null;

-- The emails that a member chose. Without a row, the member's role decides.
create table alert_setting (
  organization_id uuid not null,
  user_id         uuid not null,
  kinds           text[] not null, -- of alerts
  digest          boolean not null,
  digest_on       date not null,   -- the first day, in the organization's time zone, that still needs its digest
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references membership (organization_id, user_id) on delete cascade
);
create index alert_setting_digest on alert_setting (digest_on) where digest;

-- An email to a member. It is written with the alert, and deleted when the server has taken the email. The address is
-- read when it is sent.
create table alert_email (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  user_id         uuid not null references app_user on delete cascade,
  alert_id        uuid references alert on delete cascade,
  digest_day      date, -- the day that a digest is about, in the organization's time zone
  attempts        integer not null default 0,
  due_at          timestamptz(3) not null default clock(), -- of the next attempt; a lease while one is made
  created_at      timestamptz(3) not null default clock(),
  constraint alert_email_about check ((alert_id is null) <> (digest_day is null))
);
create index alert_email_due on alert_email (due_at);
create index alert_email_user on alert_email (user_id);
create index alert_email_alert on alert_email (alert_id);
create index alert_email_member on alert_email (organization_id, user_id);

-- The pass that opens alerts reads nothing else of these tables.
create index campaign_paused on campaign (organization_id) where status = 'paused';
create index follow_up_overdue on follow_up (due_at) where status = 'open';
create index api_key_expiring on api_key (expires_at) where revoked_at is null and replaced_by is null;

drop table webhook_alert;
