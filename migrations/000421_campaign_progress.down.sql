alter table campaign drop column progress;
