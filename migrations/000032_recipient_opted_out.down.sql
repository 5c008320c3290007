drop index recipient_opted_out_list;
alter table recipient drop column opted_out;
