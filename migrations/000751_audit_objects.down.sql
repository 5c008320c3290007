alter table audit_entry drop column object_ids;
