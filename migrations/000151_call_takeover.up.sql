-- A person may also take a live call over: the agent transfers it to a destination. It is numbered among the notes, so
-- that the holder of the line carries both out in order, once.
alter table call_note
  add column destination_id uuid, -- of a take-over; null: a note
  add foreign key (organization_id, destination_id) references destination (organization_id, id);
create index call_note_destination on call_note (organization_id, destination_id) where destination_id is not null;
