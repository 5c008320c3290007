-- canceled_at: when a person or a key canceled the recipient. If a call was live then, the recipient still has its
-- status dialing, and no call follows it.
-- prioritized_at: since when the recipient is called before the others of the campaign who are due.
alter table recipient add column canceled_at timestamptz(3), add column prioritized_at timestamptz(3);
create index recipient_prioritized on recipient (campaign_id, due_at, id)
  where status = 'pending' and prioritized_at is not null;
