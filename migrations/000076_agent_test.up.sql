-- Tests of agents: cases, runs of them on a version or the draft of an agent, and their attempts.
alter table agent
  add column require_passing_tests boolean not null default false, -- before the draft is published
  add column test_revision         integer not null default 0;     -- counts the changes of its test cases

create table agent_test_case (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  agent_id        uuid not null,
  name            text not null,
  content         jsonb not null,
  created_at      timestamptz(3) not null default clock(),
  updated_at      timestamptz(3) not null default clock(),
  constraint agent_test_case_name unique (agent_id, name),
  foreign key (organization_id, agent_id) references agent (organization_id, id) on delete cascade
);
create index agent_test_case_list on agent_test_case (organization_id, agent_id, created_at desc, id desc);

create table agent_test_run (
  id                uuid primary key,
  organization_id   uuid not null references organization on delete cascade,
  agent_id          uuid not null,
  version           integer,                 -- null: the draft
  sha256            text not null,           -- of the content, as in agent_version
  agent_name        text not null,
  script            jsonb not null,
  cases             jsonb not null,          -- id, name and content of each, as they were when the run started
  repeats           integer not null constraint agent_test_run_repeats check (repeats between 1 and 10),
  difficult_callees boolean not null,
  revision          integer,                 -- agent.test_revision; null: not all cases are in the run
  status            text not null default 'running' constraint agent_test_run_status
                      check (status in ('running', 'passed', 'failed', 'canceled')),
  created_by        text not null,           -- as shown; the audit log has the ID
  created_at        timestamptz(3) not null default clock(),
  finished_at       timestamptz(3),
  constraint agent_test_run_finished check ((status = 'running') = (finished_at is null)),
  constraint agent_test_run_tenant unique (organization_id, id),
  foreign key (organization_id, agent_id) references agent (organization_id, id) on delete cascade
);
create index agent_test_run_list on agent_test_run (organization_id, agent_id, created_at desc, id desc);
create index agent_test_run_age on agent_test_run (finished_at);

create table agent_test_attempt (
  id              uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  run_id          uuid not null,
  case_index      integer not null,           -- in agent_test_run.cases, from 0
  repeat          integer not null,           -- from 1
  connection_ids  uuid[] not null,            -- of the models that it asks
  status          text not null default 'queued' constraint agent_test_attempt_status
                    check (status in ('queued', 'running', 'passed', 'failed', 'canceled')),
  tries           integer not null default 0, -- how often a process began it
  lease           uuid,                       -- of the process that runs it
  lease_until     timestamptz(3),             -- then another process may run it again
  result          jsonb,                      -- null: there is none
  error           text,                       -- why there is no result
  started_at      timestamptz(3),
  finished_at     timestamptz(3),
  constraint agent_test_attempt_once unique (run_id, case_index, repeat),
  constraint agent_test_attempt_lease check ((status = 'running') = (lease is not null and lease_until is not null)),
  foreign key (organization_id, run_id) references agent_test_run (organization_id, id) on delete cascade
);
create index agent_test_attempt_open on agent_test_attempt (id) where status in ('queued', 'running');
