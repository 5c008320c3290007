drop table phone_number_day;
