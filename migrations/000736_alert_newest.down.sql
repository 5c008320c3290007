alter table alert drop column newest;
