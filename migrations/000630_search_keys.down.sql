-- The former functions give the same keys.
select 1;
