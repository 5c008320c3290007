-- What each object of a batch had before, in the order of object_ids, where an undo must give it back: follow-ups their
-- assignees.
alter table change_batch add column before uuid[];
