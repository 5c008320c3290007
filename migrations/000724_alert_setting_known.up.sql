-- The kinds of alerts that the member could choose. The role decides about kinds that were added later. Members who
-- saved their settings before list_failing existed did not choose about it, and no column says who saved them later.
-- The default is for older programs, which know no other kinds.
alter table alert_setting add column known text[] not null default array['campaign_paused', 'abandoned_near',
  'connection_failing', 'model_failing', 'webhook_disabled', 'webhook_failing', 'whatsapp_failing', 'quota_low',
  'list_failing', 'key_expiring', 'key_unused', 'follow_up_due'];
update alert_setting set known = array_remove(known, 'list_failing') where not 'list_failing' = any(kinds);
