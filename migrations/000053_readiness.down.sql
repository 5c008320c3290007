alter table connection drop column relay_proven_at;
drop table connection_check;
