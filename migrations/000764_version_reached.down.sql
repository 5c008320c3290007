alter table agent_version_day drop column reached, drop column reached_ms;
