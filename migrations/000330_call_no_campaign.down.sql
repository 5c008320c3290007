drop index call_no_campaign_list;
