drop index recipient_outcome_list;
alter table campaign
  drop column held,
  drop column answered_by_person,
  drop column opted_out,
  drop column abandoned,
  drop column short_calls;
drop table campaign_log_entry;
