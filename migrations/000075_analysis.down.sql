drop table call_analysis_due;
drop table call_analysis;
alter table agent_version disable trigger agent_version_change;
update agent_version set script = script - 'analysis' where script ? 'analysis';
alter table agent_version enable trigger agent_version_change;
update agent set script = script - 'analysis' where script ? 'analysis';
