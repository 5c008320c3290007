-- A request with a valid key was refused as unknown if another transaction had locked the key when the statement came
-- to the request, and had unlocked it when the statement came to the next request with the same key.
-- use_api_keys is use_api_key for many requests, numbered from 1, and never waits. It locks the windows in the order of
-- their keys, and counts the requests of one key in their order, except that a key may be unlocked in the middle of
-- them: the requests before are neither refused nor counted. Making a plan takes longer than running it, and the plan
-- does not depend on the values.
create or replace function use_api_keys(
  key_hashes bytea[], clients inet[], window_limit integer, window_length interval,
  out request integer, out api_key_id uuid, out organization_id uuid, out name text, out scopes text[],
  out allowed boolean, out requests integer, out resets_at timestamptz, out resets_in interval, out is_foreign boolean
) returns setof record
language plpgsql set plan_cache_mode = force_generic_plan set search_path from current as $$
declare
  k         record;
  now       timestamptz := clock();
  start     timestamptz;
  answered  bigint[] := '{}'; -- the requests with a locked key
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
    answered := answered || k.n;
    return next;
  end loop;
  -- A key whose requests were all refused leaves a gap in the arrays, which is no key.
  update api_key_use au
  set window_start = w.start, requests = w.count, last_used_at = now, last_address = w.client
  from unnest(ids, starts, counts, addresses) w (id, start, count, client)
  where au.api_key_id = w.id;

  if cardinality(answered) < cardinality(key_hashes) then
    return query
      select r.n::integer, ak.id, ak.organization_id, ak.name, ak.scopes, null::boolean, 0, now, interval '0', false
      from unnest(key_hashes) with ordinality r (hash, n)
      join api_key ak on ak.hash = r.hash
      where ak.revoked_at is null and (ak.expires_at <= now) is not true and r.n <> all (answered);
  end if;
end $$;
