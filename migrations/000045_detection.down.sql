alter table call drop column detection;
alter table campaign drop column detection;
