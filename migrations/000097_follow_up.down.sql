drop table follow_up;
