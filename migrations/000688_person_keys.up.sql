-- The keys of people are made in one expression, which takes a third of the time. An import makes 100,000 of them.
drop index recipient_person, call_person, message_person;
drop function person_keys;

-- person_fold is a name without case and accents, so that "jose" finds "José" and "muller" finds "Müller".
create or replace function person_fold(name text) returns text language sql immutable parallel safe as $$
  select lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', '', 'g'))
$$;

-- person_keys are what a search finds a person by: the words of the name, and each three digits in a row of the number.
-- Every key begins with a part of the organization's ID, so that an organization's people have lists of their own.
-- It has no subquery, so that PostgreSQL evaluates it without starting a statement for each row, and calls no function
-- of this schema, so that it needs no search_path, with which it would not be inlined. The keys are first
-- written in one text, " d123 d234 nana nlund", where each three digits take five characters.
create function person_keys(organization_id uuid, name text, number text) returns tsvector
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

create index recipient_person on recipient using gin (person_keys(organization_id, name, phone_number))
  with (gin_pending_list_limit = 1024);
create index call_person on call using gin (person_keys(organization_id, recipient_name, person_number))
  with (gin_pending_list_limit = 1024) where direction = 'inbound';
create index message_person on message using gin (person_keys(organization_id, '', phone_number))
  with (gin_pending_list_limit = 1024) where recipient_id is null;
