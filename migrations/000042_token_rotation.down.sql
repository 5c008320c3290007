alter table connection
  drop constraint connection_previous_token,
  drop column previous_token_until,
  drop column previous_token,
  drop column api_key;
