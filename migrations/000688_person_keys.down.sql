drop index recipient_person, call_person, message_person;
drop function person_keys;

-- person_fold is a name without case and accents, so that "jose" finds "José".
create or replace function person_fold(name text) returns text language sql immutable parallel safe as $$
  select lower(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f]', 'g'))
$$;

-- person_keys are what a search finds a person by: the words of the name, and each three digits in a row of the number.
-- Every key begins with a part of the organization's ID, so that an organization's people have lists of their own.
create function person_keys(organization_id uuid, name text, number text) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(
      select right(organization_id::text, 8) || 'n' || left(word, 40)
      from regexp_split_to_table(person_fold(name), '[\s.,;:()"''/+-]+') word where word <> '')
    || array(
      select right(organization_id::text, 8) || 'd' || substr(number, i, 3)
      from generate_series(2, length(number) - 2) i))
$$;

create index recipient_person on recipient using gin (person_keys(organization_id, name, phone_number))
  with (gin_pending_list_limit = 1024);
create index call_person on call using gin (person_keys(organization_id, recipient_name, person_number))
  with (gin_pending_list_limit = 1024) where direction = 'inbound';
create index message_person on message using gin (person_keys(organization_id, '', phone_number))
  with (gin_pending_list_limit = 1024) where recipient_id is null;
