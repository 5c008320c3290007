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
          to_tsvector(config::regconfig, search_text(new.transcript_text)))
  on conflict (call_id) do update set document = excluded.document;
  return null;
end
$$;
create or replace function search_keys(
  organization_id uuid, created_at timestamptz, campaign_id uuid, agent_id uuid, phone_number_id uuid, document tsvector
) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(
      select right(organization_id::text, 8) || 'w' || left(word, 200)
      from unnest(tsvector_to_array(document)) word)
    || array(
      select right(organization_id::text, 8) || level
          || (extract(epoch from created_at)::bigint / (3600 * (1 << 4 * level)))
      from generate_series(0, 4) level)
    || array[coalesce('a' || agent_id, 'a'), 'n' || phone_number_id, coalesce('c' || campaign_id, 'c')])
$$;
drop table call_search_backlog;
drop function search_sides, search_document;
drop aggregate search_concat(tsvector);
