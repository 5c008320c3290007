alter table model_connection drop column throttled_until;
