-- People call back, too. So the columns of a call's numbers say whose they are, not who called: one is the person's
-- number, the other is ours. Everything that is about a person (the do-not-call list, how often a number is called,
-- erasure, evidence, search) reads person_number, whoever called. It is empty for a caller who withheld it.
alter table call rename column to_number to person_number;
alter table call rename column from_number to own_number;
alter table call add column direction text not null default 'outbound'
  constraint call_direction check (direction in ('outbound', 'inbound'));

-- Only calls that we make are limited to one in flight per number: a person may call while we call them.
drop index call_in_flight;
create unique index call_in_flight on call (organization_id, person_number)
  where ended_at is null and direction = 'outbound';
