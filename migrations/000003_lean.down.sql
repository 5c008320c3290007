drop index do_not_call_number;

alter table call
  drop constraint call_state,
  add constraint call_status check (status in ('queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled')),
  add constraint call_outcome check (outcome in ('completed', 'no_answer', 'voicemail', 'busy', 'failed', 'canceled')),
  add constraint call_ended_by check (ended_by in ('agent', 'recipient', 'system', 'carrier')),
  add constraint call_answered_by check (answered_by in ('human', 'machine', 'unknown')),
  add constraint call_ended check ((ended_at is not null) = (status in ('completed', 'busy', 'no_answer', 'failed', 'canceled'))),
  add constraint call_outcome_when_ended check ((outcome is not null) = (ended_at is not null)),
  add constraint call_settled_after_end check (settled_at is null or ended_at is not null);
