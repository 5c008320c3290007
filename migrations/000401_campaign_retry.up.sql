-- The campaign whose unreached recipients this one calls again. It may have been deleted since.
alter table campaign add column retry_of_campaign_id uuid;
