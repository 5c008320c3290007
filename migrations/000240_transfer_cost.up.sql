-- The carrier bills the phone of a person to whom a call is transferred as a call of its own.
alter table call_transfer add column carrier_call_id text; -- once the person has answered; null: nobody did, or erased
alter table call_price_due add column transfers text[] not null default '{}'; -- their carrier_call_id
