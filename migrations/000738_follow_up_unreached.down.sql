update follow_up set kind = 'manual' where kind = 'unreached';
alter table follow_up drop constraint follow_up_kind;
alter table follow_up add constraint follow_up_kind check
  (kind in ('wants_human', 'call_back', 'answer', 'transfer_failed', 'unsure', 'manual'));
