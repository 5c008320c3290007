-- What a scripted agent keeps of its time with a model: the model's settings and the further languages. It is part of
-- the draft, never of a version, so that an agent can be turned into a model agent again.
alter table agent add column kept jsonb;
