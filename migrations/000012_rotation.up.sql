-- A key that was rotated: its successor, and until when both work (expires_at).
alter table api_key add replaced_by uuid references api_key on delete set null;
