drop index follow_up_done_list;
drop index campaign_ended_list;
drop index campaign_started_list;
drop index call_ended_list;
