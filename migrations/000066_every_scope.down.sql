update api_key set scopes = '{campaigns:read,campaigns:write,calls:read,numbers:read,numbers:write,projects:read,
  messages:read,messages:write,suppressions:read,suppressions:write,evidence:read,webhooks:read,webhooks:write}'
where scopes = '{all}';
