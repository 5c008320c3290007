-- The carrier's ID of an outbound call becomes known while the call is up. With that column in an index, each such
-- update would write to every index of the table. So the ID that makes an inbound call one has a column of its own, which
-- changes only when the person is erased.
drop index call_inbound_unique;
alter table call add column received_id text; -- of an inbound call: its carrier_call_id
update call set received_id = carrier_call_id where direction = 'inbound';
create unique index call_received_unique on call (connection_id, received_id) where received_id is not null;
