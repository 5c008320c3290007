-- How the members of an organization sign in. A session ends at the bounds of its current organization, so a shorter
-- bound applies at once.
alter table organization
  add column second_factor_required boolean not null default false,
  -- The session ends after this time without a request, and this long after the sign-in in any case.
  add column session_idle_minutes integer not null default 30
    constraint organization_session_idle check (session_idle_minutes between 5 and 1440),
  add column session_hours integer not null default 12
    constraint organization_session_hours check (session_hours between 1 and 168),
  -- How long a person may ask to stay signed in, without these bounds. 0: not at all.
  add column session_stay_days integer not null default 30
    constraint organization_session_stay check (session_stay_days between 0 and 30);
