-- The oldest program that can work with this schema, by the number of its last migration. During an upgrade, processes
-- of two versions share the schema. A migration that removes or narrows what earlier programs use sets it to the
-- version of the first program that does without.
create table schema_support (
  id     boolean primary key default true constraint schema_support_one_row check (id),
  oldest bigint not null
);
insert into schema_support (id, oldest) values (true, 692);
