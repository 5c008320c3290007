drop index call_received_unique;
alter table call drop column received_id;
create unique index call_inbound_unique on call (connection_id, carrier_call_id) where direction = 'inbound';
