create or replace function search_document(config regconfig, transcript text) returns tsvector
language sql immutable parallel safe set search_path from current as $$
  select search_concat(setweight(
    to_tsvector(config, regexp_replace(line, '^(Agent|Recipient): ', '')),
    case when line like 'Recipient: %' then 'A' when line like 'Agent: %' then 'B' else 'C' end::"char") order by n)
  from string_to_table(left(transcript, 100000), E'\n') with ordinality lines (line, n)
$$;

create or replace function search_keys(
  organization_id uuid, created_at timestamptz, campaign_id uuid, agent_id uuid, phone_number_id uuid, document tsvector
) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(
      select right(organization_id::text, 8) || 'w' || left(word, 200)
      from unnest(tsvector_to_array(document)) word)
    || array(
      select right(organization_id::text, 8) || 'r' || left(word, 200)
      from unnest(tsvector_to_array(ts_filter(document, '{a}'))) word)
    || case when length(ts_filter(document, '{a,b,c}')) > 0
      then array[right(organization_id::text, 8) || 's'] else '{}' end
    || array(
      select right(organization_id::text, 8) || level
          || (extract(epoch from created_at)::bigint / (3600 * (1 << 4 * level)))
      from generate_series(0, 4) level)
    || array[coalesce('a' || agent_id, 'a'), 'n' || phone_number_id, coalesce('c' || campaign_id, 'c')])
$$;
