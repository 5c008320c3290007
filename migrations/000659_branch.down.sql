-- A question keeps its first transfer after some answers. Its other branches are lost, and so is what branches say.
create or replace function pg_temp.transfer_of(branches jsonb) returns jsonb language sql as $$
  select jsonb_build_object('transfer', b - 'go_to' - 'say' - 'says')
  from jsonb_array_elements(branches) with ordinality each (b, n)
  where b ? 'destination_id' and jsonb_strip_nulls(b - 'destination_id' - 'say' - 'says') <> '{}'
  order by n limit 1
$$;
create or replace function pg_temp.rules(questions jsonb) returns jsonb language sql as $$
  select case when jsonb_typeof(questions) = 'array' then coalesce((
    select jsonb_agg(case when q ? 'branches'
      then (q - 'branches') || coalesce(pg_temp.transfer_of(q -> 'branches'), '{}') else q end order by n)
    from jsonb_array_elements(questions) with ordinality each (q, n)), '[]') else questions end
$$;
create or replace function pg_temp.script(script jsonb) returns jsonb language sql as $$
  select jsonb_set(script, '{questions}', pg_temp.rules(script -> 'questions'))
$$;

-- A version keeps its words. Its hash is that of the content as it is stored.
create temp table changed on commit drop as
select distinct old, encode(sha256(convert_to(jsonb_build_array(kind, language, speech, pg_temp.script(script),
  record_calls)::text, 'UTF8')), 'hex') as new
from (
  select kind, language, speech, script, record_calls,
         encode(sha256(convert_to(jsonb_build_array(kind, language, speech, script, record_calls)::text, 'UTF8')),
           'hex') as old
  from (select kind, language, speech, script, record_calls from agent
        union all select kind, language, speech, script, record_calls from agent_version) content
  where script @? '$.questions[*].branches'
) content;
update agent_test_run r set sha256 = c.new from changed c where c.old = r.sha256;
update agent_test_run set script = pg_temp.script(script) where script @? '$.questions[*].branches';
update agent set script = pg_temp.script(script) where script @? '$.questions[*].branches';
alter table agent_version disable trigger agent_version_change;
update agent_version v set script = pg_temp.script(v.script), sha256 = c.new from changed c where c.old = v.sha256;
alter table agent_version enable trigger agent_version_change;
update call_line set script = pg_temp.script(script) where script @? '$.questions[*].branches';
