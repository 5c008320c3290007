-- For the deletion of hours that no share counts any more.
create index campaign_answer_hour_age on campaign_answer_hour (starts_at);
