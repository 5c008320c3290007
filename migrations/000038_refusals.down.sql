alter table connection drop column region;
