-- The shares of recipients with a last status, in percent, that campaign.progress tells of.
alter table campaign add column progress_shares smallint[] not null default '{25,50,75}'
  constraint campaign_progress_shares check (1 <= all (progress_shares) and 99 >= all (progress_shares));
