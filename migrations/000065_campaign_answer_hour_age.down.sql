drop index campaign_answer_hour_age;
