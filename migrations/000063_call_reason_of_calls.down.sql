alter table call drop column call_reason;
