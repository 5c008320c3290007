-- What the organization makes of the rules on calls by place, as regulation.Settings: '{}' applies none.
alter table organization add column calling_rules jsonb not null default '{}';
