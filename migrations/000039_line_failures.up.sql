-- Calls whose line failed, or of which no callback arrived, since the last line that
-- worked. It is apart from consecutive_errors, which the next placed call clears.
alter table connection add column line_failures integer not null default 0;
