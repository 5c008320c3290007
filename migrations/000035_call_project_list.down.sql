drop index call_project_list;
