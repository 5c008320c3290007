drop table claim;
drop table schema_support;
drop table cell;
drop table directory;
