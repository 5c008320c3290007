-- Connections of the same name get a number, the oldest connection keeps its name.
update model_connection m set name = left(m.name, 80) || ' (' || d.position || ', ' || left(m.id::text, 8) || ')'
from (
  select id, row_number() over (partition by organization_id, lower(name) order by created_at, id) as position
  from model_connection where deactivated_at is null
) d
where d.id = m.id and d.position > 1;

create unique index model_connection_name_unique on model_connection (organization_id, lower(name))
  where deactivated_at is null;
