drop trigger call_turn_delete on call;
create trigger call_turn_delete after delete on call for each row execute function call_turn_delete();
drop trigger call_search_insert on call;
create trigger call_search_insert after insert on call for each row when (new.transcript_text <> '')
	execute function call_search_write();
drop trigger call_search_delete on call;
create trigger call_search_delete after delete on call for each row when (old.transcript_text <> '')
	execute function call_search_write();
drop trigger call_hour_inserted on call_hour;
create trigger call_hour_inserted after insert on call_hour referencing new table as added for each statement
	execute function add_hours();
drop trigger call_hour_deleted on call_hour;
create trigger call_hour_deleted after delete on call_hour referencing old table as removed for each statement
	execute function subtract_hours();
drop table organization_move_trace;
drop table organization_move;
