alter table call drop column number_withheld;
