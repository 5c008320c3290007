-- A draft is a campaign that nobody has started. A deleted campaign with calls stays for them, and no list shows it.
alter table campaign
  drop constraint campaign_status,
  add constraint campaign_status
    check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'canceled', 'failed')),
  drop constraint campaign_kind,
  add constraint campaign_kind check (kind in ('campaign', 'call', 'deleted')),
  add constraint campaign_draft_waits check (status <> 'draft' or dial_at is null);

drop trigger campaign_move on campaign;
create trigger campaign_move before update of status on campaign for each row
when (old.status <> new.status and not (old.status, new.status) in (
  ('draft', 'scheduled'), ('draft', 'canceled'),
  ('scheduled', 'running'), ('scheduled', 'paused'), ('scheduled', 'completed'), ('scheduled', 'canceled'),
  ('scheduled', 'failed'),
  ('running', 'paused'), ('running', 'completed'), ('running', 'canceled'), ('running', 'failed'),
  ('paused', 'scheduled'), ('paused', 'running'), ('paused', 'completed'), ('paused', 'canceled'),
  ('paused', 'failed')))
execute function refuse_move();
