drop function use_api_keys;
drop function use_api_key;
drop function rate_window;

-- use_api_key authenticates a key, counts the request against the key's window
-- and records the key's use, in one round trip. It returns no row if the key is
-- unknown, revoked or expired. The first counted request opens the window. For a
-- request over the limit, allowed is false and nothing is written.
create function use_api_key(
  key_hash bytea, client inet, window_limit integer, window_length interval,
  out api_key_id uuid, out organization_id uuid, out name text, out scopes text[],
  out allowed boolean, out requests integer, out resets_at timestamptz, out resets_in interval
) returns setof record
language plpgsql as $$
declare
  k   api_key;
  u   api_key_use;
  now timestamptz;
begin
  -- The setting lasts until the end of this transaction, which is this statement.
  -- A crash of the server may lose a few counted requests and nothing else.
  perform set_config('synchronous_commit', 'off', true);

  select au.* into u
  from api_key ak join api_key_use au on au.api_key_id = ak.id
  where ak.hash = key_hash
  for no key update of au;
  if not found then
    return;
  end if;

  -- Later statements read the key and the time after the lock, so a key that was
  -- revoked while this request waited is refused.
  select * into k from api_key ak where ak.id = u.api_key_id;
  now := clock();
  if not found or k.revoked_at is not null or k.expires_at <= now then
    return;
  end if;

  -- A window starts in the future only if a clock was set back.
  if u.window_start is null or now >= u.window_start + window_length or now < u.window_start - window_length then
    u.window_start := now;
    u.requests := 0;
  end if;

  allowed := u.requests < window_limit;
  if allowed then
    u.requests := u.requests + 1;
    update api_key_use au
    set window_start = u.window_start, requests = u.requests, last_used_at = now, last_address = client
    where au.api_key_id = k.id;
  end if;

  api_key_id := k.id;
  organization_id := k.organization_id;
  name := k.name;
  scopes := k.scopes;
  requests := u.requests;
  resets_at := u.window_start + window_length;
  resets_in := resets_at - now;
  return next;
end $$;
