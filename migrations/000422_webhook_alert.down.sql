drop table webhook_alert;
