alter table organization drop column calling_rules;
