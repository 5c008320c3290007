-- The calls of a project, newest first. Without it, a list of a project with few
-- calls read everybody else's calls one by one.
create index call_project_list on call (organization_id, project_id, created_at desc, id desc);
