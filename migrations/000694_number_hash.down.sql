update schema_support set oldest = 688;
create function number_hash(organization uuid, number text) returns bytea
language plpgsql stable parallel safe as $$
declare
  pads text := current_setting('dialwright.number_key', true);
begin
  if pads is null or pads = '' then
    if exists (select from do_not_call d where d.organization_id = organization and d.number_hash is not null) then
      raise exception 'this connection was not given the key of the do-not-call list';
    end if;
    return null;
  end if;
  return sha256(decode(right(pads, 128), 'hex')
             || sha256(decode(left(pads, 128), 'hex') || convert_to(organization::text || ' ' || number, 'UTF8')));
end $$;
