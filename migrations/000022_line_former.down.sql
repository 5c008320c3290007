drop table call_line_former;
alter table call_line drop column entry, drop column held;
