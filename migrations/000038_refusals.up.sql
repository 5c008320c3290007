-- What carriers refuse, and what follows.

-- In which of its data centers Twilio keeps the account's calls. It never changes.
alter table connection add column region text not null default 'us1'
  constraint connection_region check (region in ('us1', 'ie1', 'au1'));
