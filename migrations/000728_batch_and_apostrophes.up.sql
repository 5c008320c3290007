-- The rows that a person changed at once, by which the change can be undone for a day. An undo deletes them.
create table change_batch (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  object_type     text not null, -- as in the audit log
  object_ids      uuid[] not null,
  created_at      timestamptz(3) not null default clock()
);
create index change_batch_organization on change_batch (organization_id);
create index change_batch_created on change_batch (created_at);

-- straight_apostrophes writes each apostrophe as the one of a keyboard, so that "O'Brien" and "O’Brien" are the same.
-- PostgreSQL takes some apostrophes for letters, which ones depends on the locale of the database.
create function straight_apostrophes(text text) returns text language sql immutable parallel safe as $$
  select translate(text, '‘’ʼ', '''''''')
$$;

-- New transcripts are read with straight apostrophes. Those from before stay as they are: search_query finds them, too.
create or replace function search_document(config regconfig, transcript text) returns tsvector
language plpgsql immutable parallel safe set search_path from current as $$
declare
  document tsvector := '';
  line text;
begin
  foreach line in array string_to_array(left(transcript, 100000), E'\n') loop
    document := document || setweight(
      to_tsvector(config, straight_apostrophes(regexp_replace(line, '^(Agent|Recipient): ', ''))),
      case when line like 'Recipient: %' then 'A' when line like 'Agent: %' then 'B' else 'C' end::"char");
  end loop;
  return document;
end
$$;

-- search_query is the query of a search in transcripts, with straight apostrophes. As alternatives it has the query with
-- each apostrophe as it was indexed before, where that makes other words, and unless the query is for absent words:
-- a transcript that lacks one spelling may have the other.
create function search_query(config regconfig, query text) returns tsquery
language plpgsql immutable parallel safe set search_path from current as $$
declare
  straight constant text := straight_apostrophes(query);
  found tsquery := websearch_to_tsquery(config, straight);
  other tsquery;
  spelled text;
begin
  foreach spelled in array array[query, translate(straight, '''', '’'), translate(straight, '''', 'ʼ')] loop
    other := websearch_to_tsquery(config, spelled);
    if numnode(other) > 0 and other::text <> found::text and position('!' in found::text) = 0 then
      found := found || other;
    end if;
  end loop;
  return found;
end
$$;

-- Words of names end at each apostrophe, as at the straight one before. The indexes keep the keys of rows from before:
-- a search for a name with an apostrophe looks for both.
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
               '([^\s.,;:()"''‘’ʼ/+-]{40})[^\s.,;:()"''‘’ʼ/+-]+', '\1', 'g') end,
        '[\s.,;:()"''‘’ʼ/+-]+', ' n', 'g'),
      ' ', ' ' || right(organization_id::text, 8)), 2), ' '),
    right(organization_id::text, 8) || 'n'))
$$;

-- Sessions keep the expressions of the indexes that they have used. Without a change of the indexes, they would not
-- recognize the function in a search any more.
alter index recipient_person set (gin_pending_list_limit = 1024);
alter index call_person set (gin_pending_list_limit = 1024);
alter index message_person set (gin_pending_list_limit = 1024);
