-- Organizations that leave this cell, until another cell has them. One row is one run of `dialwright organization move`.
create table organization_move (
	id uuid primary key, -- the first of its organizations; the schema of the outgoing rows bears it
	organization_ids uuid[] not null,
	names text not null, -- of the organizations, for messages: their rows leave before the move ends
	target integer not null, -- the number of the cell that gets them
	stage text not null check (stage in ('stopping', 'closed', 'outgoing', 'returning')),
	resumes uuid[] not null, -- the organizations whose calling the move has stopped
	began_at timestamptz(3) not null
);

-- What requests come with that belong to an organization on its way: they are told to come again, not that nobody knows
-- them.
create table organization_move_trace (
	kind text not null check (kind in ('key', 'connection', 'email')),
	id text not null,
	move_id uuid not null references organization_move (id) on delete cascade,
	primary key (kind, id)
);
create index organization_move_trace_move on organization_move_trace (move_id);

-- Rows that move come with what these triggers made of them in the other cell.
drop trigger call_turn_delete on call;
create trigger call_turn_delete after delete on call for each row
	when (current_setting('dialwright.moves', true) is distinct from 'yes')
	execute function call_turn_delete();
drop trigger call_search_insert on call;
create trigger call_search_insert after insert on call for each row
	when (new.transcript_text <> '' and current_setting('dialwright.moves', true) is distinct from 'yes')
	execute function call_search_write();
drop trigger call_search_delete on call;
create trigger call_search_delete after delete on call for each row
	when (old.transcript_text <> '' and current_setting('dialwright.moves', true) is distinct from 'yes')
	execute function call_search_write();
drop trigger call_hour_inserted on call_hour;
create trigger call_hour_inserted after insert on call_hour referencing new table as added for each statement
	when (current_setting('dialwright.moves', true) is distinct from 'yes')
	execute function add_hours();
drop trigger call_hour_deleted on call_hour;
create trigger call_hour_deleted after delete on call_hour referencing old table as removed for each statement
	when (current_setting('dialwright.moves', true) is distinct from 'yes')
	execute function subtract_hours();
