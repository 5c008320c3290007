-- The dashboard's sessions are sealed from now on, and without "stay signed in"
-- they end after a while without use, and at ends_at in any case. Everyone signs in
-- once more.
delete from sessions;
delete from user_session;
alter table user_session add ends_at timestamptz(3); -- null: expires_at does not move
