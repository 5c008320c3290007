-- Headers of an organization's own, such as the key of a gateway, go with each delivery.
alter table webhook add column headers bytea;      -- sealed JSON, by name; null: none
alter table webhook add column header_names text[] not null default '{}';
