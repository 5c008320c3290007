alter table alert_setting drop column known;
