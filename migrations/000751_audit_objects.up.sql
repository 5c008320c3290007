-- The objects of an entry about several, which has no object_id: data.count says how many they are.
alter table audit_entry add column object_ids uuid[];
create index audit_entry_objects on audit_entry using gin (object_ids) where object_ids is not null;
