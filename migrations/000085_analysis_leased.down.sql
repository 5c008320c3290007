drop index call_analysis_due_leased;
