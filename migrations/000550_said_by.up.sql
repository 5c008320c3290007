-- A search can be for what one side of a call said. The words of a document have the weight A if the recipient said
-- them, B for the agent and C for everything else. Documents from before have the weight D everywhere.
create aggregate search_concat(tsvector) (sfunc = tsvector_concat, stype = tsvector, initcond = '', parallel = safe);

create function search_document(config regconfig, transcript text) returns tsvector
language sql immutable parallel safe as $$
  select search_concat(setweight(
    to_tsvector(config, regexp_replace(line, '^(Agent|Recipient): ', '')),
    case when line like 'Recipient: %' then 'A' when line like 'Agent: %' then 'B' else 'C' end::"char") order by n)
  from string_to_table(left(transcript, 100000), E'\n') with ordinality lines (line, n)
$$;

-- search_sides reports whether a document tells who said its words.
create function search_sides(document tsvector) returns boolean language sql immutable parallel safe as $$
  select exists (select from unnest(document) where weights[1] <> 'D')
$$;

-- The words of the recipient also have keys of their own: agents say the same words in all calls, which then says
-- nothing about those of the recipient. A key marks the calls that have them. A search takes the other calls by all
-- words, as long as there are any.
create or replace function search_keys(
  organization_id uuid, created_at timestamptz, campaign_id uuid, agent_id uuid, phone_number_id uuid, document tsvector
) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(
      select right(organization_id::text, 8) || side || left(lexeme, 200)
      from unnest(document) word, unnest(case when 'A' = any(word.weights) then '{w,r}' else '{w}' end::text[]) side)
    || case when search_sides(document) then array[right(organization_id::text, 8) || 's'] else '{}' end
    || array(
      select right(organization_id::text, 8) || level
          || (extract(epoch from created_at)::bigint / (3600 * (1 << 4 * level)))
      from generate_series(0, 4) level)
    || array[coalesce('a' || agent_id, 'a'), 'n' || phone_number_id, coalesce('c' || campaign_id, 'c')])
$$;

create or replace function call_search_write() returns trigger language plpgsql as $$
declare
  config text;
begin
  if tg_op = 'DELETE' or new.transcript_text = '' then
    delete from call_search where call_id = old.id;
    return null;
  end if;
  config := coalesce((select language from call_search where call_id = new.id),
                     case when new.analysis ->> 'language' <> '' then search_language(new.analysis ->> 'language') end,
                     (select search_language(language) from agent_version where id = new.agent_version_id),
                     (select search_language(language) from agent where id = new.agent_id), 'simple');
  insert into call_search
    (call_id, organization_id, created_at, campaign_id, agent_id, phone_number_id, language, document)
  values (new.id, new.organization_id, new.created_at, new.campaign_id, new.agent_id, new.phone_number_id, config,
          search_document(config::regconfig, new.transcript_text))
  on conflict (call_id) do update set document = excluded.document;
  return null;
end
$$;

-- Documents from before are read again in the background, in the order of their IDs. The row is gone when all are.
create table call_search_backlog (
  one     boolean primary key default true check (one),
  done_to uuid not null
);
insert into call_search_backlog (done_to)
select '00000000-0000-0000-0000-000000000000' where exists (select from call_search);
