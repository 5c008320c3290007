alter table campaign drop column completed_by_voicemail;
