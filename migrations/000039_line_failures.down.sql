alter table connection drop column line_failures;
