-- The planner chose this index for what one organization has to do now, and read what is overdue in all others.
-- follow_up_due (organization_id, due_at) serves one organization and all.
drop index follow_up_overdue;
