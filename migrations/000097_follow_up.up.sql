-- What needs a person: a wish, an answer or a failure in a call that no agent takes care of. The number and the name
-- are those of the call, so an erasure of the call erases them here too.
create table follow_up (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  project_id      uuid not null,
  campaign_id     uuid,
  recipient_id    uuid,
  call_id         uuid not null references call on delete cascade,
  kind            text not null constraint follow_up_kind
                    check (kind in ('wants_human', 'call_back', 'answer', 'transfer_failed', 'unsure', 'manual')),
  status          text not null default 'open' constraint follow_up_status check (status in ('open', 'done')),
  reason          text not null,            -- for people; empty: retention or an erasure removed it
  note            text not null default '',
  assignee_id     uuid,                     -- a member; null: nobody
  due_at          timestamptz(3),
  created_by      text not null default '', -- the actor's name, as shown; empty: the call itself
  created_at      timestamptz(3) not null default clock(),
  done_by         text,                     -- likewise
  done_at         timestamptz(3),
  foreign key (organization_id, project_id) references project (organization_id, id) on delete cascade,
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) on delete cascade,
  -- The rows of a removed member are nobody's.
  constraint follow_up_assignee foreign key (organization_id, assignee_id)
    references membership (organization_id, user_id) on delete set null (assignee_id),
  constraint follow_up_done check ((status = 'done') = (done_at is not null) and (status = 'done') = (done_by is not null))
) with (fillfactor = 80);
-- A call leads to one follow-up of each kind, however often its end is processed.
create unique index follow_up_once on follow_up (call_id, kind) where kind <> 'manual';
create index follow_up_call on follow_up (call_id);
create index follow_up_list on follow_up (organization_id, created_at desc, id desc);
create index follow_up_status_list on follow_up (organization_id, status, created_at desc, id desc);
create index follow_up_kind_list on follow_up (organization_id, kind, created_at desc, id desc);
create index follow_up_project_list on follow_up (organization_id, project_id, created_at desc, id desc);
create index follow_up_campaign_list on follow_up (organization_id, campaign_id, created_at desc, id desc)
  where campaign_id is not null;
create index follow_up_assignee_list on follow_up (organization_id, assignee_id, status, created_at desc, id desc);
create index follow_up_due on follow_up (organization_id, due_at) where status = 'open';
