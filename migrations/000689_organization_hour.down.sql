drop trigger call_hour_inserted on call_hour;
drop trigger call_hour_updated on call_hour;
drop trigger call_hour_deleted on call_hour;
drop function add_hours, change_hours, subtract_hours;
drop table organization_hour;
