drop table webhook_recovery, delivery_due, delivery_attempt, delivery, event, webhook_day, webhook;
