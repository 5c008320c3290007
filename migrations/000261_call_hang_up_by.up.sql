-- Who ended a call is told by the last turn of its transcript, which is written when nobody can add another one.
alter table call add column hang_up_by text; -- the actor's name, as shown; null: no person asked, or an older call
