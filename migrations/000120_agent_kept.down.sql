alter table agent drop column kept;
