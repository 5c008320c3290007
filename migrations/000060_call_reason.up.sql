-- Why the campaign calls, for phones that show it (branded calling). Null: the carrier gets no reason.
alter table campaign add column call_reason text
  constraint campaign_call_reason check (char_length(call_reason) between 1 and 64);
