alter table organization drop column consent_required;
alter table call drop column consent_source, drop column consent_expires_at;
alter table recipient drop column consent_source, drop column consent_expires_at;
