-- What WhatsApp reports of its reviews: categories of templates, names of numbers, alerts.
alter table messaging_template
  add column previous_category   text,           -- before the last change; null: it has not changed
  add column category_changed_at timestamptz(3),
  add column next_category       text,           -- announced; null: none
  add column next_category_at    timestamptz(3);

alter table messaging_number
  add column name_requested  text,           -- the display name that was reviewed last
  add column name_decision   text,           -- in the operator's words
  add column name_reason     text,
  add column name_decided_at timestamptz(3);

-- The last alert of each kind about each entity.
create table messaging_alert (
  organization_id uuid not null,
  connection_id   uuid not null,
  kind            text not null, -- in the operator's words, like the next columns
  entity_type     text not null,
  entity_id       text not null,
  severity        text not null,
  status          text not null,
  description     text not null,
  at              timestamptz(3) not null,
  primary key (connection_id, kind, entity_type, entity_id),
  foreign key (organization_id, connection_id) references messaging_connection (organization_id, id) on delete cascade
);
create index messaging_alert_organization on messaging_alert (organization_id, at);
