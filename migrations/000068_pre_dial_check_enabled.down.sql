-- Earlier versions ask every check, so one that is off must go.
delete from pre_dial_check where enabled_at is null;
alter table pre_dial_check drop column enabled_at;
