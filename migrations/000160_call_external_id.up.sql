-- Lists of calls find the calls of one external ID. Most calls have none.
create index call_external_id on call (organization_id, external_id, created_at desc, id desc)
  where external_id is not null;
create index recipient_planned_external_id on recipient (organization_id, external_id, planned_at desc, next_call_id desc)
  where next_call_id is not null and external_id is not null;
