-- PostgreSQL parses and plans the body of a function in SQL in each statement that calls it, unless the body is one
-- expression. It does so once in a session for the body of a function in PL/pgSQL. The end of a call is a statement of
-- its own: its trigger calls search_document, and the index of words calls search_keys. Planning them took most of
-- their time there. They return the same as before.
create or replace function search_document(config regconfig, transcript text) returns tsvector
language plpgsql immutable parallel safe set search_path from current as $$
declare
  document tsvector := '';
  line text;
begin
  foreach line in array string_to_array(left(transcript, 100000), E'\n') loop
    document := document || setweight(
      to_tsvector(config, regexp_replace(line, '^(Agent|Recipient): ', '')),
      case when line like 'Recipient: %' then 'A' when line like 'Agent: %' then 'B' else 'C' end::"char");
  end loop;
  return document;
end
$$;

create or replace function search_keys(
  organization_id uuid, created_at timestamptz, campaign_id uuid, agent_id uuid, phone_number_id uuid, document tsvector
) returns tsvector language plpgsql immutable parallel safe set search_path from current as $$
declare
  prefix constant text := right(organization_id::text, 8);
  second constant bigint := extract(epoch from created_at)::bigint;
begin
  return array_to_tsvector(
    array(select prefix || 'w' || left(word, 200) from unnest(tsvector_to_array(document)) word)
    || array(select prefix || 'r' || left(word, 200) from unnest(tsvector_to_array(ts_filter(document, '{a}'))) word)
    || case when length(ts_filter(document, '{a,b,c}')) > 0 then array[prefix || 's'] else '{}' end
    || array(select prefix || level || (second / (3600 * (1 << 4 * level))) from generate_series(0, 4) level)
    || array[coalesce('a' || agent_id, 'a'), 'n' || phone_number_id, coalesce('c' || campaign_id, 'c')]);
end
$$;
