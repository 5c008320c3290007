delete from campaign where status = 'draft';
update campaign set kind = 'campaign' where kind = 'deleted';
alter table campaign
  drop constraint campaign_status,
  add constraint campaign_status
    check (status in ('scheduled', 'running', 'paused', 'completed', 'canceled', 'failed')),
  drop constraint campaign_kind,
  add constraint campaign_kind check (kind in ('campaign', 'call')),
  drop constraint campaign_draft_waits;

drop trigger campaign_move on campaign;
create trigger campaign_move before update of status on campaign for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('scheduled', 'running'), ('scheduled', 'paused'), ('scheduled', 'completed'), ('scheduled', 'canceled'),
  ('scheduled', 'failed'),
  ('running', 'paused'), ('running', 'completed'), ('running', 'canceled'), ('running', 'failed'),
  ('paused', 'scheduled'), ('paused', 'running'), ('paused', 'completed'), ('paused', 'canceled'),
  ('paused', 'failed')))
execute function refuse_move();
