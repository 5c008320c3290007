alter table call drop column hang_up_by;
