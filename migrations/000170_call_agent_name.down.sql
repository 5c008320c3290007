alter table call drop column agent_name;
