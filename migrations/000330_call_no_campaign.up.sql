-- Lists of calls find those without a campaign. Most calls have one.
create index call_no_campaign_list on call (organization_id, created_at desc, id desc) where campaign_id is null;
