-- Why the calling hours allowed a call, at its claim: clocks, rules, calls_in_24_hours. null: the call is older.
alter table call add column calling_hours_decision jsonb;

-- Entries that were taken off the do-not-call list, as evidence. An erasure of the person deletes them. An entry
-- with only a hash of its number leaves none.
create table do_not_call_removal (
  id              uuid primary key, -- the entry's
  organization_id uuid not null references organization on delete cascade,
  channel         text not null,
  phone_number    text not null, -- E.164
  source          text not null,
  note            text not null,
  call_id         uuid,
  created_by      text not null,
  created_at      timestamptz(3) not null,
  removed_by      text not null, -- as shown; the audit log has the ID
  removed_at      timestamptz(3) not null default clock()
);
create index do_not_call_removal_number on do_not_call_removal (organization_id, phone_number, created_at desc, id desc);

-- Of the entries that were removed before, the audit log tells the number only if a call led to the entry.
insert into do_not_call_removal (id, organization_id, channel, phone_number, source, note, call_id, created_by,
  created_at, removed_by, removed_at)
select distinct on (r.object_id) r.object_id, r.organization_id, coalesce(r.data ->> 'channel', 'voice'), c.to_number,
  coalesce(r.data ->> 'source', 'call'), '', c.id, a.actor_name, a.created_at, r.actor_name, r.created_at
from audit_entry r
join audit_entry a on a.organization_id = r.organization_id and a.object_type = 'do_not_call'
  and a.object_id = r.object_id and a.action = 'do_not_call.added'
join call c on c.organization_id = r.organization_id and c.id = (a.data ->> 'call_id')::uuid
where r.action = 'do_not_call.removed' and r.object_type = 'do_not_call' and c.to_number <> ''
order by r.object_id;
