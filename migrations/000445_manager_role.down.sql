update membership set role = 'staff' where role = 'manager';
update invitation set role = 'staff' where role = 'manager';
alter table membership drop constraint membership_role,
  add constraint membership_role check (role in ('admin', 'staff'));
alter table invitation drop constraint invitation_role,
  add constraint invitation_role check (role in ('admin', 'staff'));
