-- An inbound call may have no agent.
alter table call_search alter column agent_id drop not null;
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

-- PostgreSQL parses every check of the table at each write, so one states both rules.
alter table call
  drop constraint call_direction,
  drop constraint call_reception,
  add constraint call_direction check (
    direction = 'outbound' and reception is null and agent_id is not null
    or direction = 'inbound' and reception is not null);

-- People who called a number, by day.
alter table phone_number_day add column received integer not null default 0;
