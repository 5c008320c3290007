update campaign set messaging = messaging - 'follow_up' where messaging is not null;
alter table campaign drop column intent_counts, drop column intents;
-- The column takes its indexes with it.
alter table call drop column intent;
