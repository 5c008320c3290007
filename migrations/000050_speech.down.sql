alter table call drop column sample;
alter table agent add column voice text not null default '';
update agent set
	voice = coalesce(speech ->> 'voice', '') || coalesce('-' || nullif(speech ->> 'model', ''), ''),
	script = script - 'silence_seconds' - 'nudges';
alter table agent drop column speech;
