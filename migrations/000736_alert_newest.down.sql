delete from alert_email where weekly;
alter table alert_email drop column weekly;
alter table alert_setting drop column weekly, drop column weekly_on;
alter table alert drop column newest;
