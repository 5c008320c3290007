-- The other subscribed lists whose files have the number of an entry. When a number leaves the list of its entry, the
-- entry goes over to one of them. Lists that were applied before are read again, whether or not they have changed.
alter table do_not_call add column also_in uuid[] not null default '{}';
create index do_not_call_also_in on do_not_call using gin (also_in) where also_in <> '{}';
update subscribed_list set etag = '', last_modified = '';
