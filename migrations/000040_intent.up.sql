-- What a person wanted on a call instead of answering: wrong_person, call_back and so on.
-- The column follows the analysis, so whatever clears the analysis clears the intent.
-- Adding it rewrites the table once.
alter table call add column intent text generated always as (analysis ->> 'intent') stored;

-- Most calls have no intent, so these indexes are small.
create index call_intent_list on call (organization_id, intent, created_at desc, id desc) where intent is not null;
create index call_campaign_intent on call (campaign_id, intent, created_at desc, id desc) where intent is not null;

-- What each intent leads to, as in the API, and the number of settled calls by intent.
alter table campaign
  add column intents jsonb not null default '{"wrong_person": "stop", "deceased": "do_not_call", "minor": "retry",
    "busy": "retry", "call_back": "call_back", "wants_human": "stop"}',
  add column intent_counts jsonb not null default '{}';

-- The intents after which a campaign sends its message.
update campaign set messaging = messaging || '{"follow_up": []}' where messaging is not null;
