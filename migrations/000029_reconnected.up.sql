alter table delivery_attempt
  add column reconnected boolean not null default false; -- sent over a second connection: the first was closed before a byte was written
