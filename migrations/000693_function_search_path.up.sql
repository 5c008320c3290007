-- Functions that use tables or functions of this schema find them whatever the caller's search_path is, which is empty
-- while a dump is restored. Other functions have no setting, because PostgreSQL does not inline functions with one.
do $$
declare f regprocedure;
begin
  for f in
    select p.oid from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      and (l.lanname = 'plpgsql' or exists (select from pg_proc o
        where o.pronamespace = p.pronamespace and o.oid <> p.oid and p.prosrc ~ ('\m' || o.proname || '\s*\(')))
    order by p.oid
  loop
    execute format('alter function %s set search_path from current', f);
  end loop;
end $$;
