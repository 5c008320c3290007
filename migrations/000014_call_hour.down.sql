drop table call_hour;
