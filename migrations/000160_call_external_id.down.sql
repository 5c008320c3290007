drop index recipient_planned_external_id;
drop index call_external_id;
