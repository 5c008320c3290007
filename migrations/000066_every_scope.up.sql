-- A key with all scopes gets those that later versions add. Of a key that lacks newer scopes, nobody can tell whether
-- somebody left them out, so it keeps its scopes.
update api_key set scopes = '{all}'
where scopes @> '{campaigns:read,campaigns:write,calls:read,numbers:read,numbers:write,projects:read,messages:read,
  messages:write,suppressions:read,suppressions:write,evidence:read,webhooks:read,webhooks:write}';
