-- A turn is written by whoever holds the line of its call, in the statement that
-- changes the line's row; that row refers to the call. Another reference from the
-- turn only locked the call's row at each word. The turns still go with the call:
-- a trigger of this name fires after the reference has taken the line away, and so
-- after the last turn was written.
alter table call_turn drop constraint call_turn_call_id_fkey;
create function call_turn_delete() returns trigger language plpgsql as $$
begin
  delete from call_turn where call_id = old.id;
  return null;
end
$$;
create trigger call_turn_delete after delete on call for each row execute function call_turn_delete();
