drop index audit_entry_system, audit_entry_type, audit_entry_action, audit_entry_actor;
drop table kept_form, recovery_code, second_factor, password_reset, invitation;
alter table membership drop column seen_at;
