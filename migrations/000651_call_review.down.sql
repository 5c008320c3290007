drop table call_tag;
drop table call_review;
