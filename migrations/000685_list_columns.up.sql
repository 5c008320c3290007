-- The columns of a list that a member chose to see. Without a row, the list has those of everybody.
create table list_columns (
  organization_id uuid not null,
  user_id         uuid not null,
  list            text not null,   -- "calls" or "recipients"
  columns         text[] not null, -- unknown ones have no effect; "answer:" and the key of a question is one
  constraint list_columns_once primary key (organization_id, user_id, list),
  foreign key (organization_id, user_id) references membership (organization_id, user_id) on delete cascade
);
