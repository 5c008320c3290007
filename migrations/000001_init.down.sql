drop function use_api_key(bytea, inet, integer, interval);
drop table call_turn, call_line, call, recipient, campaign, do_not_call, phone_number, connection, agent, project,
  audit_entry, idempotency_key, api_key_use, api_key, setup_code, sign_in_failure, user_session, sessions,
  membership, app_user, organization;
drop function clock();
