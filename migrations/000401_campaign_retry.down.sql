alter table campaign drop column retry_of_campaign_id;
