alter table connection_check drop column phone_number_ids;
