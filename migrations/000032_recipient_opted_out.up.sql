-- Who asked on a call not to be called again is shown, searched and exported with
-- the recipient. Written by the settlement of the call.
alter table recipient add column opted_out boolean not null default false;
update recipient r set opted_out = true
from call c
where c.recipient_id = r.id and c.ended_reason = 'opted_out' and c.settled_at is not null;
create index recipient_opted_out_list on recipient (campaign_id, id desc) where opted_out;
