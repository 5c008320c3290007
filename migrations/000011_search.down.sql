drop trigger call_search_insert on call;
drop trigger call_search_update on call;
drop trigger call_search_delete on call;
drop table call_search;
drop function call_search_write(), search_keys(uuid, timestamptz, uuid, uuid, uuid, tsvector), search_text(text), search_language(text);
