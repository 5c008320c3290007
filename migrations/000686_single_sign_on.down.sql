alter table user_session drop column single_sign_on;
drop table single_sign_on_use;
drop table single_sign_on_identity;
drop table single_sign_on;
