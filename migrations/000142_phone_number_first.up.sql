-- The first number of a connection, also a removed one, for calls that wait without a number of their own.
create index phone_number_first on phone_number (connection_id, created_at, id);
