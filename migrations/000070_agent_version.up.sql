-- The published versions of agents. A version never changes: calls, campaigns and people refer to it. The columns of
-- agent are its draft.
create table agent_version (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  agent_id        uuid not null,
  number          integer not null constraint agent_version_number_positive check (number > 0),
  kind            text not null,
  language        text not null, -- BCP 47
  speech          jsonb not null,
  script          jsonb not null,
  record_calls    boolean not null,
  sha256          text not null, -- of the content, in hexadecimal digits
  note            text not null default '',
  created_by      text not null, -- as shown; the audit log has the ID
  created_at      timestamptz(3) not null default clock(),
  constraint agent_version_tenant unique (organization_id, agent_id, id),
  constraint agent_version_number_unique unique (agent_id, number),
  foreign key (organization_id, agent_id) references agent (organization_id, id) on delete cascade
);
create index agent_version_list on agent_version (organization_id, agent_id, created_at desc, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% % never changes', tg_table_name, old.id;
end
$$;
create trigger agent_version_change before update on agent_version for each row execute function refuse_change();

-- Who published which version, and when. A version can be published again.
create table agent_publication (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  version_id      uuid not null references agent_version on delete cascade,
  note            text not null,
  published_by    text not null, -- as shown; the audit log has the ID
  published_at    timestamptz(3) not null default clock()
);
create index agent_publication_list on agent_publication (version_id, published_at desc, id desc);

alter table agent add column published_version_id uuid; -- null: calls follow the draft
alter table agent add foreign key (organization_id, id, published_version_id)
  references agent_version (organization_id, agent_id, id);

insert into agent_version (id, organization_id, agent_id, number, kind, language, speech, script, record_calls, sha256,
  created_by)
select gen_random_uuid(), organization_id, id, 1, kind, language, speech, script, record_calls,
  encode(sha256(convert_to(jsonb_build_array(kind, language, speech, script, record_calls)::text, 'UTF8')), 'hex'),
  'Dialwright'
from agent;
insert into agent_publication (id, organization_id, version_id, note, published_by)
select gen_random_uuid(), organization_id, id, '', created_by from agent_version;
update agent a set published_version_id = v.id from agent_version v where v.agent_id = a.id;

-- Which version the calls of a campaign follow. Null: the published one at the time of each call. split_version_id is
-- followed by split_percent of the recipients instead of agent_version_id.
alter table campaign
  add column agent_version_id uuid,
  add column split_version_id uuid,
  add column split_percent    integer,
  add constraint campaign_agent_version_split check (
    (split_version_id is null) = (split_percent is null)
    and (split_version_id is null
      or agent_version_id is not null and agent_version_id <> split_version_id and split_percent between 1 and 99)),
  add foreign key (organization_id, agent_id, agent_version_id)
    references agent_version (organization_id, agent_id, id),
  add foreign key (organization_id, agent_id, split_version_id)
    references agent_version (organization_id, agent_id, id);

-- The version of the agent that a call follows, chosen at its claim. Null: the agent's draft, or the call is older than
-- versions.
alter table call add column agent_version_id uuid;

create or replace function call_search_write() returns trigger language plpgsql as $$
declare
  config text;
begin
  if tg_op = 'DELETE' or new.transcript_text = '' then
    delete from call_search where call_id = old.id;
    return null;
  end if;
  config := coalesce((select language from call_search where call_id = new.id),
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
