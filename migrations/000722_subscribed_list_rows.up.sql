-- The first rows of the last file that was read that could not be, as objects with line, cell and reason. Numbers in
-- cells are shortened.
alter table subscribed_list add column rejected_rows jsonb not null default '[]';
-- Why the last file that was read is held back. null: it was applied.
-- Older programs write shrunk only.
alter table subscribed_list add column held_back text;
update subscribed_list set last_error = replace(last_error, '. The old numbers stay', '');
update subscribed_list set held_back = last_error where shrunk;
-- also_in now also names the lists that have the number of an entry with another source. Lists that were applied before
-- are read again, whether or not they have changed.
update subscribed_list set etag = '', last_modified = '';
alter table do_not_call_removal add column also_in uuid[] not null default '{}';
-- The entries of a list and a channel, newest first.
drop index do_not_call_of_list;
create index do_not_call_of_list on do_not_call (organization_id, list_id, channel, created_at desc, id desc)
  where list_id is not null;
