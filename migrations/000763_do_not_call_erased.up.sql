-- The list is narrowed to the entries of erased people, whatever their source.
create index do_not_call_erased on do_not_call (organization_id, created_at desc, id desc) where number_hash is not null;
