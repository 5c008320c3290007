-- A table takes its indexes and triggers with it.
drop table
  instance,
  upload_piece, upload,
  webhook_recovery, delivery_due, delivery_attempt, delivery, event, webhook_day, webhook,
  recording_deletion,
  call_search, call_hour, call_turn, call_line_former, call_line, call,
  campaign_log_entry, recipient, campaign,
  message, messaging_template, messaging_window, messaging_number, messaging_ledger, messaging_scope,
  messaging_connection,
  erasure,
  number_key, do_not_call,
  pace, phone_number, connection, agent, project,
  audit_entry, idempotency_key, api_key_use, api_key, setup_code, sign_in_failure, user_session, sessions,
  recovery_code, second_factor, password_reset, invitation, membership, app_user, organization;

drop function
  call_search_write(), search_keys(uuid, timestamptz, uuid, uuid, uuid, tsvector), search_text(text),
  search_language(text),
  call_turn_delete(),
  number_hash(uuid, text),
  use_api_key(bytea, inet, integer, interval),
  refuse_move(),
  clock();
