drop index do_not_call_removal_batch;
alter table do_not_call_removal drop column batch_id;
