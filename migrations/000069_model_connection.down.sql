drop table model_connection;
-- Earlier versions do not know these scopes.
update api_key set scopes = array_remove(array_remove(scopes, 'connections:read'), 'connections:write')
where scopes && '{connections:read,connections:write}';
