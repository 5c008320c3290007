-- Whoever copies calls and campaigns into a system of their own asks for what has changed since the last time. The
-- triggers keep the time, so no statement can forget it. Rows of before count as changed at the upgrade.

alter table call add column changed_at timestamptz(3) not null default now();
alter table call alter column changed_at set default clock();
-- Only ended calls are in an index by it, because PostgreSQL would update every index of a live call at each of its
-- changes. Live calls are few, and have indexes of their own.
alter table call add column ended_changed_at timestamptz(3)
  generated always as (case when ended_at is not null then changed_at end) stored;
create index call_changed_list on call (organization_id, ended_changed_at) where ended_changed_at is not null;

create function changed() returns trigger language plpgsql as $$
begin
  new.changed_at := clock();
  return new;
end
$$;

-- All columns that people see, and settled_at, with which the time of a next attempt and more come.
create trigger call_changed before update of
  campaign_id, recipient_id, agent_id, agent_name, phone_number_id, own_number, person_number, recipient_name, status,
  outcome, ended_reason, ended_by, hang_up_by, detail, carrier_code, stir_attestation, answered_by, carrier_call_id,
  record, recording_id, analysis, reception, pre_dial_check, transcript_text, started_at, ringing_at, answered_at,
  ended_at, settled_at, due_at, consent_basis, consent_at, consent_source, consent_expires_at, variables, metadata, cost,
  cost_currency, cost_parts, external_id, next_call_id, last_call_id, resumes_recipient_id, number_withheld
  on call for each row
when (
  (old.campaign_id, old.recipient_id, old.agent_id, old.agent_name, old.phone_number_id, old.own_number,
   old.person_number, old.recipient_name, old.status, old.outcome, old.ended_reason, old.ended_by, old.hang_up_by,
   old.detail, old.carrier_code, old.stir_attestation, old.answered_by, old.carrier_call_id, old.record,
   old.recording_id, old.analysis, old.reception, old.pre_dial_check, old.transcript_text, old.started_at,
   old.ringing_at, old.answered_at, old.ended_at, old.settled_at, old.due_at, old.consent_basis, old.consent_at,
   old.consent_source, old.consent_expires_at, old.variables, old.metadata, old.cost, old.cost_currency,
   old.cost_parts, old.external_id, old.next_call_id, old.last_call_id, old.resumes_recipient_id, old.number_withheld)
  is distinct from
  (new.campaign_id, new.recipient_id, new.agent_id, new.agent_name, new.phone_number_id, new.own_number,
   new.person_number, new.recipient_name, new.status, new.outcome, new.ended_reason, new.ended_by, new.hang_up_by,
   new.detail, new.carrier_code, new.stir_attestation, new.answered_by, new.carrier_call_id, new.record,
   new.recording_id, new.analysis, new.reception, new.pre_dial_check, new.transcript_text, new.started_at,
   new.ringing_at, new.answered_at, new.ended_at, new.settled_at, new.due_at, new.consent_basis, new.consent_at,
   new.consent_source, new.consent_expires_at, new.variables, new.metadata, new.cost, new.cost_currency,
   new.cost_parts, new.external_id, new.next_call_id, new.last_call_id, new.resumes_recipient_id, new.number_withheld))
execute function changed();

-- What a campaign waits for is left out: the dialer writes it anew at each pass.
alter table campaign add column changed_at timestamptz(3) not null default now();
alter table campaign alter column changed_at set default clock();
create index campaign_changed_list on campaign (organization_id, changed_at) where kind = 'campaign';

create trigger campaign_changed before update of
  agent_id, agent_version_id, split_version_id, split_percent, phone_number_id, number_pool_id, name, call_reason,
  status, ended_reason, pause_reason, scheduled_at, expires_at, calling_hours, max_concurrency, calls_per_second,
  max_attempts, retry_delays, retry_outcome_delays, retry_on, intents, voicemail_action, detection,
  ring_timeout_seconds, max_duration_seconds, variables, metadata, messaging, budget_amount, budget_currency,
  progress_shares, total, completed, failed, skipped, canceled, expired, calls_placed, calls_answered,
  answered_by_person, opted_out, abandoned, short_calls, started_at, ended_at
  on campaign for each row
when (new.kind = 'campaign' and
  (old.agent_id, old.agent_version_id, old.split_version_id, old.split_percent, old.phone_number_id,
   old.number_pool_id, old.name, old.call_reason, old.status, old.ended_reason, old.pause_reason, old.scheduled_at,
   old.expires_at, old.calling_hours, old.max_concurrency, old.calls_per_second, old.max_attempts, old.retry_delays,
   old.retry_outcome_delays, old.retry_on, old.intents, old.voicemail_action, old.detection,
   old.ring_timeout_seconds, old.max_duration_seconds, old.variables, old.metadata, old.messaging, old.budget_amount,
   old.budget_currency, old.progress_shares, old.total, old.completed, old.failed, old.skipped, old.canceled,
   old.expired, old.calls_placed, old.calls_answered, old.answered_by_person, old.opted_out, old.abandoned,
   old.short_calls, old.started_at, old.ended_at)
  is distinct from
  (new.agent_id, new.agent_version_id, new.split_version_id, new.split_percent, new.phone_number_id,
   new.number_pool_id, new.name, new.call_reason, new.status, new.ended_reason, new.pause_reason, new.scheduled_at,
   new.expires_at, new.calling_hours, new.max_concurrency, new.calls_per_second, new.max_attempts, new.retry_delays,
   new.retry_outcome_delays, new.retry_on, new.intents, new.voicemail_action, new.detection,
   new.ring_timeout_seconds, new.max_duration_seconds, new.variables, new.metadata, new.messaging, new.budget_amount,
   new.budget_currency, new.progress_shares, new.total, new.completed, new.failed, new.skipped, new.canceled,
   new.expired, new.calls_placed, new.calls_answered, new.answered_by_person, new.opted_out, new.abandoned,
   new.short_calls, new.started_at, new.ended_at))
execute function changed();

-- Of a recipient with a scheduled call: when that call last changed.
alter table recipient add column changed_at timestamptz(3);
create index recipient_planned_changed on recipient (organization_id, (coalesce(changed_at, planned_at)))
  where next_call_id is not null;
create trigger recipient_changed before update on recipient for each row
when (new.next_call_id is not null and old is distinct from new)
execute function changed();
