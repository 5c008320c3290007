alter table organization_move drop column holder;
