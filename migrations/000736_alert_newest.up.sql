-- The time of the newest thing that an alert about many things is about. A newer one sends another email.
alter table alert add column newest timestamptz;
