-- The cell that this schema is, once a directory lists it. It keeps one schema from being two cells, and a wrong
-- address in the directory from being served.
create table cell_mark (
	singleton boolean primary key default true check (singleton),
	directory_id uuid not null,
	number integer not null
);
