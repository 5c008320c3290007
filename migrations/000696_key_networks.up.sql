-- A key may be limited to networks. A request from elsewhere is refused and not counted, so that whoever has a key
-- without its network cannot use up its requests.
alter table api_key add column networks cidr[] not null default '{}';

-- Programs of version 694 read the columns of both functions by name, so the additional one leaves them alone.
update schema_support set oldest = 694;

drop function use_api_key;

-- use_api_key authenticates a key, counts the request against the key's window and records the key's use, in one round
-- trip. It returns no row if the key is unknown, revoked or expired. The first counted request opens the window. For a
-- request over the limit or from a foreign network, allowed is false and nothing is written. Unless it waits, allowed
-- is null for a key that another transaction uses, and the request is neither refused nor counted.
create function use_api_key(
  key_hash bytea, client inet, waits boolean, window_limit integer, window_length interval,
  out api_key_id uuid, out organization_id uuid, out name text, out scopes text[],
  out allowed boolean, out requests integer, out resets_at timestamptz, out resets_in interval, out is_foreign boolean
) returns setof record
language plpgsql rows 1 set search_path from current as $$
declare
  k     record;
  now   timestamptz;
  start timestamptz;
begin
  -- The setting lasts until the end of this transaction, which is this statement.
  -- A crash of the server may lose a few counted requests and nothing else.
  perform set_config('synchronous_commit', 'off', true);

  -- The next statement reads the key after the lock, so a key that was revoked while this request waited is refused.
  if waits then
    perform from api_key ak join api_key_use au on au.api_key_id = ak.id
    where ak.hash = key_hash
    for no key update of au;
  end if;
  select ak.id, ak.organization_id, ak.name, ak.scopes, ak.networks, ak.revoked_at, ak.expires_at, au.window_start,
         au.requests
  into k
  from api_key ak join api_key_use au on au.api_key_id = ak.id
  where ak.hash = key_hash
  for no key update of au skip locked;
  if not found then
    return query
      select ak.id, ak.organization_id, ak.name, ak.scopes, null::boolean, 0, clock(), interval '0', false
      from api_key ak
      where ak.hash = key_hash and ak.revoked_at is null and not waits;
    return;
  end if;
  now := clock();
  if k.revoked_at is not null or k.expires_at <= now then
    return;
  end if;

  start := rate_window(k.window_start, window_length, now);
  requests := case when start = k.window_start then k.requests else 0 end;
  is_foreign := k.networks <> '{}' and (client <<= any (k.networks)) is not true;
  allowed := requests < window_limit and not is_foreign;
  if allowed then
    requests := requests + 1;
    update api_key_use au
    set window_start = start, requests = use_api_key.requests, last_used_at = now, last_address = client
    where au.api_key_id = k.id;
  end if;

  api_key_id := k.id;
  organization_id := k.organization_id;
  name := k.name;
  scopes := k.scopes;
  resets_at := start + window_length;
  resets_in := resets_at - now;
  return next;
end $$;

drop function use_api_keys;

-- use_api_keys is use_api_key for many requests, numbered from 1, and never waits. It locks the windows in the order of
-- their keys, and counts the requests of one key in their order. Making a plan takes longer than running it, and the
-- plan does not depend on the values.
create function use_api_keys(
  key_hashes bytea[], clients inet[], window_limit integer, window_length interval,
  out request integer, out api_key_id uuid, out organization_id uuid, out name text, out scopes text[],
  out allowed boolean, out requests integer, out resets_at timestamptz, out resets_in interval, out is_foreign boolean
) returns setof record
language plpgsql set plan_cache_mode = force_generic_plan set search_path from current as $$
declare
  k         record;
  now       timestamptz := clock();
  start     timestamptz;
  used      uuid[] := '{}'; -- the keys that have been locked
  answered  integer := 0;   -- the requests with these keys
  written   integer := 0;
  ids       uuid[];
  starts    timestamptz[];
  counts    integer[];
  addresses inet[];
begin
  perform set_config('synchronous_commit', 'off', true);
  for k in
    select r.n, r.client, ak.id, ak.organization_id, ak.name, ak.scopes, ak.networks, au.window_start, au.requests
    from unnest(key_hashes, clients) with ordinality r (hash, client, n)
    join api_key ak on ak.hash = r.hash
    join api_key_use au on au.api_key_id = ak.id
    where ak.revoked_at is null and (ak.expires_at <= now) is not true
    order by au.api_key_id, r.n
    for no key update of au skip locked
  loop
    if api_key_id is distinct from k.id then
      api_key_id := k.id;
      organization_id := k.organization_id;
      name := k.name;
      scopes := k.scopes;
      used := used || k.id;
      start := rate_window(k.window_start, window_length, now);
      requests := case when start = k.window_start then k.requests else 0 end;
      resets_at := start + window_length;
      resets_in := resets_at - now;
      written := written + (requests < window_limit)::integer;
    end if;
    is_foreign := k.networks <> '{}' and (k.client <<= any (k.networks)) is not true;
    allowed := requests < window_limit and not is_foreign;
    if allowed then
      requests := requests + 1;
      ids[written] := k.id;
      starts[written] := start;
      counts[written] := requests;
      addresses[written] := k.client;
    end if;
    request := k.n;
    answered := answered + 1;
    return next;
  end loop;
  -- A key whose requests were all refused leaves a gap in the arrays, which is no key.
  update api_key_use au
  set window_start = w.start, requests = w.count, last_used_at = now, last_address = w.client
  from unnest(ids, starts, counts, addresses) w (id, start, count, client)
  where au.api_key_id = w.id;

  if answered < cardinality(key_hashes) then
    return query
      select r.n::integer, ak.id, ak.organization_id, ak.name, ak.scopes, null::boolean, 0, now, interval '0', false
      from unnest(key_hashes) with ordinality r (hash, n)
      join api_key ak on ak.hash = r.hash
      where ak.revoked_at is null and (ak.expires_at <= now) is not true and ak.id <> all (used);
  end if;
end $$;
