-- How the carrier finds out whether a machine answered, as in the API. Without a message to leave,
-- it says so as soon as it knows. With one, it says so when the greeting is over.
alter table campaign add column detection jsonb not null default '{"mode": "fast"}';
update campaign set detection = '{"mode": "wait_for_beep"}' where voicemail_action = 'leave_message';

alter table call add column detection text not null default 'fast';
update call set detection = 'wait_for_beep' where voicemail_action = 'leave_message' and settled_at is null;
