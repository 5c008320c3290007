-- The phone numbers that a failed check concerns. Null: the check concerns all numbers of the connection.
alter table connection_check add column phone_number_ids uuid[];
