alter table phone_number_day drop column received;
delete from call_turn t using call c where c.id = t.call_id and c.direction = 'inbound';
delete from call where direction = 'inbound';
alter table call
  drop constraint call_direction,
  add constraint call_direction check (direction in ('outbound', 'inbound')),
  add constraint call_reception check (
    (direction = 'inbound') = (reception is not null) and (direction = 'inbound' or agent_id is not null));
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
    || array['a' || agent_id, 'n' || phone_number_id, coalesce('c' || campaign_id, 'c')])
$$;
alter table call_search alter column agent_id set not null;
