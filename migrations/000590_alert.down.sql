create table webhook_alert (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  webhook_id      uuid not null references webhook on delete cascade,
  user_id         uuid not null references app_user on delete cascade,
  reason          text not null,
  attempts        integer not null default 0,
  due_at          timestamptz(3) not null default clock(),
  created_at      timestamptz(3) not null default clock()
);
create index webhook_alert_due on webhook_alert (due_at);
create index webhook_alert_user on webhook_alert (user_id);
create index webhook_alert_webhook on webhook_alert (webhook_id);
create index webhook_alert_organization on webhook_alert (organization_id);
drop index api_key_expiring;
drop index follow_up_overdue;
drop index campaign_paused;
drop table alert_email;
drop table alert_setting;
drop table alert;
