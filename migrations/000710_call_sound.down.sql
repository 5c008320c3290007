drop table call_sound_part;
drop table call_sound;
