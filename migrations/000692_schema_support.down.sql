drop table schema_support;
