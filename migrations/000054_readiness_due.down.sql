alter table connection drop column check_due_at;
