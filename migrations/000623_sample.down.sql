drop table sample;
