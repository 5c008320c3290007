alter table campaign drop column call_reason;
