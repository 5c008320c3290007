alter table webhook drop column header_names;
alter table webhook drop column headers;
