alter table organization
  drop column second_factor_required,
  drop column session_idle_minutes,
  drop column session_hours,
  drop column session_stay_days;
