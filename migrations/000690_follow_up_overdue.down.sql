create index follow_up_overdue on follow_up (due_at) where status = 'open';
