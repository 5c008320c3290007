drop index do_not_call_erased;
