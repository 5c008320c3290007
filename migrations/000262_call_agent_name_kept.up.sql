-- Calls from before calls kept the name of their agent get its name of now. A later rename does not change it any more.
update call set agent_name = agent.name from agent where agent.id = call.agent_id and call.agent_name is null;
