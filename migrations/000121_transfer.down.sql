drop table call_transfer;
drop table destination;
