-- Pools of the same name get a number, the oldest pool keeps its name.
update number_pool p set name = left(p.name, 80) || ' (' || d.position || ', ' || left(p.id::text, 8) || ')'
from (
  select id, row_number() over (partition by organization_id, lower(name) order by created_at, id) as position
  from number_pool where deactivated_at is null
) d
where d.id = p.id and d.position > 1;

create unique index number_pool_name_unique on number_pool (organization_id, lower(name)) where deactivated_at is null;
