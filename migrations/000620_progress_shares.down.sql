alter table campaign drop column progress_shares;
