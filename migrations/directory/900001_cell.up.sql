-- The directory of cells. It stands in a database or a schema of its own. No call and no request reads it.

create table directory (
	id uuid not null default gen_random_uuid(), -- the cells bear it
	singleton boolean primary key default true check (singleton)
);
insert into directory default values;

create table cell (
	number integer primary key check (number between 1 and 65535), -- two bytes of an API key
	url bytea not null, -- sealed: it contains a password
	state text not null check (state in ('adding', 'open', 'draining')),
	added_at timestamptz not null default clock_timestamp()
);

-- The oldest program that can work with this schema.
create table schema_support (oldest integer not null);
insert into schema_support (oldest) values (900001);

-- What the messaging operator knows once, however many cells there are. Only one cell may count what it sends.
create table claim (
	kind text not null, -- of messaging_scope
	external_id text not null,
	cell integer not null references cell (number),
	primary key (kind, external_id)
);
