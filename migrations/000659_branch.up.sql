-- A transfer after an answer becomes a branch of its question, beside the branches that lead to another question or to the
-- end.
create or replace function pg_temp.rules(questions jsonb) returns jsonb language sql as $$
  select case when jsonb_typeof(questions) = 'array' then coalesce((
    select jsonb_agg(case when jsonb_typeof(q -> 'transfer') = 'object'
      then (q - 'transfer') || jsonb_build_object('branches', jsonb_build_array(q -> 'transfer')) else q end order by n)
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
  where script @? '$.questions[*].transfer'
) content;
update agent_test_run r set sha256 = c.new from changed c where c.old = r.sha256;
update agent_test_run set script = pg_temp.script(script) where script @? '$.questions[*].transfer';
update agent set script = pg_temp.script(script) where script @? '$.questions[*].transfer';
alter table agent_version disable trigger agent_version_change;
update agent_version v set script = pg_temp.script(v.script), sha256 = c.new from changed c where c.old = v.sha256;
alter table agent_version enable trigger agent_version_change;
update call_line set script = pg_temp.script(script) where script @? '$.questions[*].transfer';
