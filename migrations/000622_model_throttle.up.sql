-- Until when the server of a connection wants no new calls, because it has too many requests (Retry-After). Null: never.
alter table model_connection add column throttled_until timestamptz;
