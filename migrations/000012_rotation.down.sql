alter table api_key drop replaced_by;
