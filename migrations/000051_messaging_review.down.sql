drop table messaging_alert;
alter table messaging_number
  drop column name_decided_at, drop column name_reason, drop column name_decision, drop column name_requested;
alter table messaging_template
  drop column next_category_at, drop column next_category, drop column category_changed_at,
  drop column previous_category;
