-- A holder that the database was away from writes what it has kept as often as it
-- takes, and does not know which of its attempts were carried out. So its entries
-- are numbered, and the row knows the last one written.
alter table call_line
  add column entry integer not null default 0,       -- the last entry that the holder of this epoch has written
  add column held  boolean not null default true;    -- the holder may have more to write

-- Holders of earlier epochs that were replaced and may still have words to write.
-- A row goes when they are written or there are none, or with the line.
create table call_line_former (
  call_id uuid not null references call_line on delete cascade,
  epoch   integer not null,
  entry   integer not null, -- the last entry that this holder has written
  turns   integer not null, -- its next turn has this index
  primary key (call_id, epoch)
);
