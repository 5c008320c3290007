drop table task_lease;
