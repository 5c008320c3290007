-- The removal of many entries at once, by which it can be undone. null: the entry was removed alone.
alter table do_not_call_removal add column batch_id uuid;
create index do_not_call_removal_batch on do_not_call_removal (organization_id, batch_id) where batch_id is not null;
