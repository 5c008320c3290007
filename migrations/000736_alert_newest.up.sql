-- The time of the newest thing that an alert about many things is about. A newer one sends another email.
alter table alert add column newest timestamptz;
-- A digest of the week. weekly_on is the first Monday, in the organization's time zone, that still needs its digest.
alter table alert_setting add column weekly boolean not null default false, add column weekly_on date;
create index alert_setting_weekly on alert_setting (weekly_on) where weekly;
-- A digest of the week that begins on digest_day, which is a Monday.
alter table alert_email add column weekly boolean not null default false;
