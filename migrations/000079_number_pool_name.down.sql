drop index number_pool_name_unique;
