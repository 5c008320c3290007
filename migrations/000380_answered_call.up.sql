-- The calls in which recipients answered what was left open, for the lists of a recipient's calls.
create index call_resumes on call (resumes_recipient_id, created_at desc, id desc) where resumes_recipient_id is not null;

-- recipient.answered_call_id is now the call that completed the recipient, claimed or not, and is also their last call.
update recipient r set answered_call_id = i.id, last_call_id = i.id
from call i
where i.resumes_recipient_id = r.id and i.settled_at is not null and i.outcome = 'completed'
  and i.ended_reason = 'completed' and r.status = 'completed'
  and (r.answered_call_id is null or r.answered_call_id = i.id)
  and not exists (select from call c where c.id = r.last_call_id and c.ended_reason = 'completed');
