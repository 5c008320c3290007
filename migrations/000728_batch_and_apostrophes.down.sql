drop table change_batch;
