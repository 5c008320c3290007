drop index phone_number_first;
