-- Messages of campaigns: before a call, or after it.

alter table campaign
  add column messaging_trigger   text, -- when its recipients get their message; null: they get none
  add column messaging_number_id uuid, -- what it is sent from: messaging's, or the phone number's own
  add constraint campaign_messaging check (
    (messaging_trigger is null) = (messaging_number_id is null)
    and messaging_trigger in ('before_call', 'no_answer', 'after_call')),
  add foreign key (organization_id, messaging_number_id) references messaging_number (organization_id, id);

-- When the message that comes before the first call was planned. The calls of
-- such a campaign are made to those who have had theirs.
alter table recipient add column messaged_at timestamptz(3);
create index recipient_messaged on recipient (campaign_id, due_at, id) where status = 'pending' and messaged_at is not null;
create index recipient_held on recipient (campaign_id, due_at) where status = 'pending' and wait_reason = 'message';

-- A recipient gets one message of a campaign, whatever is settled twice.
drop index message_recipient;
create unique index message_recipient on message (recipient_id) where recipient_id is not null;
