-- A call is searched in the language in which it ended, which may be another than the agent's first.
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
