-- Nothing: which names were added later is not known.
select;
