-- When a pre-dial check was turned on. Null: it is off, and calls are placed without it.
alter table pre_dial_check add column enabled_at timestamptz(3);
update pre_dial_check set enabled_at = clock();
