drop table saved_filter;
