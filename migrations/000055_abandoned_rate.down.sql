drop table campaign_answer_hour;
alter table campaign drop column abandoned_from, drop column abandoned_paused;
alter table organization drop column abandoned_most, drop column abandoned_least;
