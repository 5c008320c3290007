-- Staff search the list by the last digits of a number, too.
create index do_not_call_ending on do_not_call (organization_id, reverse(phone_number) collate "C")
  where phone_number is not null;
