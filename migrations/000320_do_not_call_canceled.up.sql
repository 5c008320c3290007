-- Whether the scheduled calls to the number of a new entry have been canceled. Those of earlier entries end when they
-- are due.
alter table do_not_call add column calls_canceled boolean not null default true;
alter table do_not_call alter column calls_canceled set default false;
create index do_not_call_uncanceled on do_not_call (id)
  where not calls_canceled and channel = 'voice' and phone_number is not null;
