-- The analyses that use streams of a connection, which each claim counts beside any number of queued ones.
create index call_analysis_due_leased on call_analysis_due (connection_id) where leased_until is not null;
