create temporary table summed as
select organization_id, campaign_id, starts_at, sum(completed) as completed, sum(no_answer) as no_answer,
       sum(voicemail) as voicemail, sum(busy) as busy, sum(failed) as failed, sum(canceled) as canceled,
       sum(placed) as placed, sum(reached) as reached, sum(talk_ms) as talk_ms, sum(opted_out) as opted_out
from call_hour group by 1, 2, 3;
delete from call_hour;
alter table call_hour drop constraint call_hour_unique, drop column phone_number_id;
alter table call_hour add constraint call_hour_unique unique nulls not distinct (organization_id, starts_at, campaign_id);
insert into call_hour (organization_id, campaign_id, starts_at, completed, no_answer, voicemail, busy, failed, canceled,
  placed, reached, talk_ms, opted_out)
select * from summed;
drop table summed;
drop function answer_value;
drop table result_day;
drop table call_answer;
