drop table agent_test_attempt;
drop table agent_test_run;
drop table agent_test_case;
alter table agent drop column test_revision, drop column require_passing_tests;
