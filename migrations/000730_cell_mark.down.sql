drop table cell_mark;
