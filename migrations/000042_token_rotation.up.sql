-- An API key authenticates requests instead of the auth token. A replaced auth token may
-- still sign callbacks for a while.
alter table connection
  add column api_key              text,           -- the key's SID; null: none. Its secret is in credentials
  add column previous_token       bytea,          -- sealed
  add column previous_token_until timestamptz(3),
  add constraint connection_previous_token check ((previous_token is null) = (previous_token_until is null));
