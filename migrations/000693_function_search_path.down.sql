do $$
declare f regprocedure;
begin
  for f in
    select p.oid from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prokind = 'f' and p.proconfig is not null
      and not exists (select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    order by p.oid
  loop
    execute format('alter function %s reset search_path', f);
  end loop;
end $$;
