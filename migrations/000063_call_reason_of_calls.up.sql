-- The call reason that the carrier got with the call. Null: none, or the call is older than the column.
alter table call add column call_reason text;
