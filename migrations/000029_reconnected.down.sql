alter table delivery_attempt drop column reconnected;
