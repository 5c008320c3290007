-- Full-text search of transcripts.
--
-- A row for each call in which something was said, once it has ended. It is beside the
-- call and not in it, because a call's row is written ten times and this one
-- once. Triggers keep it: whoever writes, clears or deletes a transcript need
-- not know of it.

-- The text search configuration for a language (BCP 47): PostgreSQL's own, and
-- for all other languages whole words.
create function search_language(tag text) returns text language sql immutable parallel safe as $$
  select coalesce((array['arabic','armenian','basque','catalan','danish','dutch','english','finnish','french','german','greek','hindi',
                         'hungarian','indonesian','irish','italian','lithuanian','nepali','norwegian','norwegian','norwegian','portuguese',
                         'romanian','russian','serbian','spanish','swedish','tamil','turkish','yiddish'])
                  [array_position(array['ar','hy','eu','ca','da','nl','en','fi','fr','de','el','hi',
                         'hu','id','ga','it','lt','ne','no','nb','nn','pt',
                         'ro','ru','sr','es','sv','ta','tr','yi'], lower(split_part(replace(tag, '_', '-'), '-', 1)))], 'simple')
$$;

-- What was said, without who said it: of a transcript without end the first
-- 100,000 characters, which is more than an hour of speech. A tsvector holds 1 MB,
-- and a call must end whatever was said in it.
create function search_text(transcript text) returns text language sql immutable parallel safe as $$
  select regexp_replace(left(transcript, 100000), '^(Agent|Recipient): ', '', 'gn')
$$;

create table call_search (
  call_id         uuid primary key,
  organization_id uuid not null,
  created_at      timestamptz(3) not null, -- the call's, as are the next three: they never change
  campaign_id     uuid,
  agent_id        uuid not null,
  phone_number_id uuid not null,
  language        text not null,     -- the configuration the words were read with; the agent's may be another by now
  document        tsvector not null  -- the words of the transcript
) with (toast_tuple_target = 8160);  -- most documents stay in the row: a common word is looked for row by row
create index call_search_list on call_search (organization_id, created_at desc, call_id desc);
create index call_search_language on call_search (organization_id, language);

-- What a call is found by: its words, and in the same index what narrows a
-- search, so that PostgreSQL passes over all other calls inside it.
--
-- A list of matches in this index knows no order, and the common ones are long.
-- So each call is also marked with the blocks of time it belongs to, of five
-- sizes, each 16 times the one before: 1 hour, 16 hours, 11 days, 171 days, 7
-- years. A search goes back from block to block, and no list is longer than what
-- matches in one. All keys but those that are ids begin with a part of the
-- organization's id: its words are a list of their own.
create function search_keys(
  organization_id uuid, created_at timestamptz, campaign_id uuid, agent_id uuid, phone_number_id uuid, document tsvector
) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(
    array(select right(organization_id::text, 8) || 'w' || left(word, 200) from unnest(tsvector_to_array(document)) word)
    || array(select right(organization_id::text, 8) || level || (extract(epoch from created_at)::bigint / (3600 * (1 << 4 * level))) from generate_series(0, 4) level)
    || array['a' || agent_id, 'n' || phone_number_id, coalesce('c' || campaign_id, 'c')])
$$;

create function call_search_write() returns trigger language plpgsql as $$
declare
  config text;
begin
  if tg_op = 'DELETE' or new.transcript_text = '' then
    delete from call_search where call_id = old.id;
    return null;
  end if;
  config := coalesce((select language from call_search where call_id = new.id),
                     (select search_language(language) from agent where id = new.agent_id), 'simple');
  insert into call_search (call_id, organization_id, created_at, campaign_id, agent_id, phone_number_id, language, document)
  values (new.id, new.organization_id, new.created_at, new.campaign_id, new.agent_id, new.phone_number_id, config,
          to_tsvector(config::regconfig, search_text(new.transcript_text)))
  on conflict (call_id) do update set document = excluded.document;
  return null;
end
$$;

-- The calls there are.
insert into call_search (call_id, organization_id, created_at, campaign_id, agent_id, phone_number_id, language, document)
select c.id, c.organization_id, c.created_at, c.campaign_id, c.agent_id, c.phone_number_id, l.config,
       to_tsvector(l.config::regconfig, search_text(c.transcript_text))
from call c
left join agent a on a.id = c.agent_id
cross join lateral (select coalesce(search_language(a.language), 'simple') as config) l
where c.transcript_text <> ''
order by c.created_at;

-- New rows are gathered in a short list before they are sorted into the index,
-- which halves what that costs; every search reads the list, so it is kept short.
create index call_search_keys on call_search
  using gin (search_keys(organization_id, created_at, campaign_id, agent_id, phone_number_id, document))
  with (fastupdate = on, gin_pending_list_limit = 1024);

-- The transcript is written when the call ends, by a statement that holds
-- nothing but the call: not at settlement, under the lock of a campaign.
create trigger call_search_insert after insert on call for each row
  when (new.transcript_text <> '')
  execute function call_search_write();
create trigger call_search_update after update of transcript_text on call for each row
  when (old.transcript_text is distinct from new.transcript_text)
  execute function call_search_write();
create trigger call_search_delete after delete on call for each row
  when (old.transcript_text <> '')
  execute function call_search_write();

-- Calls that ended while those above were read: servers of the version before
-- may still be running, and are not held up until here. No call lasts longer than
-- an hour; now() is when this migration began.
insert into call_search (call_id, organization_id, created_at, campaign_id, agent_id, phone_number_id, language, document)
select c.id, c.organization_id, c.created_at, c.campaign_id, c.agent_id, c.phone_number_id, l.config,
       to_tsvector(l.config::regconfig, search_text(c.transcript_text))
from organization o
join call c on c.organization_id = o.id and c.created_at > now() - interval '3 hours'
left join agent a on a.id = c.agent_id
cross join lateral (select coalesce(search_language(a.language), 'simple') as config) l
where c.transcript_text <> '' and not exists (select from call_search s where s.call_id = c.id);
