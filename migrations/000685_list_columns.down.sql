drop table list_columns;
