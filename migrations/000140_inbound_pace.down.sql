drop table inbound_pace;
