alter table change_batch drop column before;
