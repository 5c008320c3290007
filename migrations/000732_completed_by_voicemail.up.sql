-- The completed recipients for whom a message was left on voicemail. They are a part of completed, so that a page can
-- show how many people answered.
alter table campaign add column completed_by_voicemail integer not null default 0;
update campaign c set completed_by_voicemail = n.left_messages
from (
  select campaign_id, count(*) as left_messages from recipient
  where outcome = 'voicemail' and status = 'completed'
  group by campaign_id) n
where n.campaign_id = c.id;
