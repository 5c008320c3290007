-- The product hashes numbers itself, so that the key of the hashes is in no session of the database.
drop function number_hash(uuid, text);
update schema_support set oldest = 694;
