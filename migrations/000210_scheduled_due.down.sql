drop index recipient_planned_due;
