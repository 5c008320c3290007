-- The rule that transfers a call after an answer has the conditions of the rule that creates a follow-up: answer and
-- options instead of equals.
create or replace function pg_temp.rule(rule jsonb) returns jsonb language sql as $$
  select jsonb_build_object(
    'destination_id', rule -> 'destination_id',
    'answer', case when jsonb_typeof(rule -> 'equals') = 'boolean' then rule -> 'equals' end,
    'options', case when jsonb_typeof(rule -> 'equals') = 'string' then jsonb_build_array(rule -> 'equals') end,
    'at_most', rule -> 'at_most', 'at_least', rule -> 'at_least')
$$;
create or replace function pg_temp.rules(questions jsonb) returns jsonb language sql as $$
  select case when jsonb_typeof(questions) = 'array' then coalesce((
    select jsonb_agg(case when jsonb_typeof(q -> 'transfer') = 'object'
      then jsonb_set(q, '{transfer}', pg_temp.rule(q -> 'transfer')) else q end order by n)
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
