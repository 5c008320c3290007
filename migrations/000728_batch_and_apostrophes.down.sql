drop function search_query;
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

create or replace function person_keys(organization_id uuid, name text, number text) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(
    string_to_array(substr(replace(
      left(' d' || substr(number, 2, 3) || ' d' || substr(number, 3, 3) || ' d' || substr(number, 4, 3)
        || ' d' || substr(number, 5, 3) || ' d' || substr(number, 6, 3) || ' d' || substr(number, 7, 3)
        || ' d' || substr(number, 8, 3) || ' d' || substr(number, 9, 3) || ' d' || substr(number, 10, 3)
        || ' d' || substr(number, 11, 3) || ' d' || substr(number, 12, 3) || ' d' || substr(number, 13, 3)
        || ' d' || substr(number, 14, 3), 5 * greatest(length(number) - 3, 0))
      || ' n' || regexp_replace(
        case when length(name) <= 40
             then lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g'))
             else regexp_replace(lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g')),
               '([^\s.,;:()"''/+-]{40})[^\s.,;:()"''/+-]+', '\1', 'g') end,
        '[\s.,;:()"''/+-]+', ' n', 'g'),
      ' ', ' ' || right(organization_id::text, 8)), 2), ' '),
    right(organization_id::text, 8) || 'n'))
$$;

alter index recipient_person set (gin_pending_list_limit = 1024);
alter index call_person set (gin_pending_list_limit = 1024);
alter index message_person set (gin_pending_list_limit = 1024);
drop function straight_apostrophes;
drop table change_batch;
