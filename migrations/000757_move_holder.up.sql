-- The command that moves the organizations at the moment: the one that was run last. An earlier one that still runs
-- finds another holder, and ends. Null: a command of a version before this one.
alter table organization_move add column holder uuid;
