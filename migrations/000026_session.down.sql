delete from sessions;
delete from user_session;
alter table user_session drop ends_at;
