-- The last share of recipients with a last status that campaign.progress told of, in percent.
alter table campaign add column progress smallint not null default 0;
