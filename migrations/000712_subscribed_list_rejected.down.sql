alter table subscribed_list drop column rejected;
