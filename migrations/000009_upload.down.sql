drop table upload_piece;
drop table upload;
