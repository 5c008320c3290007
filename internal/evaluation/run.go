package evaluation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/model/connection"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Status is the state of a run or of an attempt.
type Status string

// Values of Status. A run is never queued.
const (
	Queued   Status = "queued"
	Running  Status = "running"
	Passed   Status = "passed" // of a run: every attempt passed
	Failed   Status = "failed"
	Canceled Status = "canceled"
)

// Limits of runs.
const (
	DefaultRepeats, MaxRepeats = 3, 10
	maxRunning                 = 3 // runs of one agent at a time
	keepDays                   = 90
)

// Run is a run of test cases on a version or the draft of an agent.
type Run struct {
	ID               uuid.UUID
	AgentID          uuid.UUID
	Version          *int   // nil: the draft
	SHA256           string // of the content, as in a version of the agent
	Repeats          int    // attempts of each case
	DifficultCallees bool
	Status           Status
	Total            int // attempts
	Done             int // likewise, without canceled ones
	Succeeded        int // of Done
	InputTokens      int // of all models
	OutputTokens     int
	CreatedBy        string
	CreatedAt        time.Time
	FinishedAt       *time.Time
}

const runColumns = `id, agent_id, version, sha256, repeats, difficult_callees, status,
	(select count(*) from agent_test_attempt a where a.run_id = agent_test_run.id) as total,
	(select count(*) from agent_test_attempt a where a.run_id = agent_test_run.id and a.status in ('passed', 'failed'))
		as done,
	(select count(*) from agent_test_attempt a where a.run_id = agent_test_run.id and a.status = 'passed') as succeeded,
	(select coalesce(sum((a.result ->> 'input_tokens')::bigint), 0) from agent_test_attempt a
		where a.run_id = agent_test_run.id) as input_tokens,
	(select coalesce(sum((a.result ->> 'output_tokens')::bigint), 0) from agent_test_attempt a
		where a.run_id = agent_test_run.id) as output_tokens,
	created_by, created_at, finished_at`

// RunInput says what a new run tests.
type RunInput struct {
	Version          *int     `json:"version" nullable:"true"` // nil: the draft
	Repeats          *int     `json:"repeats"`                 // nil: DefaultRepeats
	DifficultCallees bool     `json:"difficult_callees"`
	CaseIDs          []string `json:"case_ids"` // empty: all cases of the agent
}

// tested is a case as a run keeps it.
type tested struct {
	ID      *uuid.UUID `json:"id"` // nil: a difficult callee
	Name    string     `json:"name"`
	Content Content    `json:"content"`
}

// subject is the content that a run tests.
type subject struct {
	Name         string
	SHA256       string
	Script       conversation.Script
	TestRevision int
}

// sqlDraftSHA is the hash of the draft of an agent, as its version would have it.
const sqlDraftSHA = `encode(sha256(convert_to(jsonb_build_array(
	kind, language, speech, script, record_calls)::text, 'UTF8')), 'hex')`

// Start starts a run. Errors: NotFound, Invalid, and Conflict if too many runs of the agent are under way.
func (s *Service) Start(
	ctx context.Context, actor account.Actor, agentID uuid.UUID, in RunInput,
) (r Run, err error) {
	repeats := DefaultRepeats
	if in.Repeats != nil {
		repeats = *in.Repeats
	}
	if repeats < 1 || repeats > MaxRepeats {
		return r, fault.Invalidf("repeats", "must be between 1 and %d", MaxRepeats)
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		of, err := lockSubject(ctx, tx, actor.OrganizationID, agentID, in.Version)
		if err != nil {
			return err
		}
		cases, complete, err := casesOf(ctx, tx, agentID, in.CaseIDs)
		if err != nil {
			return err
		}
		if in.DifficultCallees {
			for _, c := range Difficult(of.Script) {
				cases = append(cases, tested{Name: c.Name, Content: c.Content})
			}
		}
		if len(cases) == 0 {
			return fault.Invalidf("", "the agent has no test cases. Add one, or run the difficult callees")
		}
		if slices.ContainsFunc(cases, func(c tested) bool { return len(c.asks(of.Script)) > 0 }) {
			if err := connection.CheckDay(ctx, tx, actor.OrganizationID); err != nil {
				return err
			}
		}
		r, err = insertRun(ctx, tx, actor, agentID, of, newRun{in, repeats, cases, complete})
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "agent_test_run.started",
			account.Object{Type: "agent_test_run", ID: r.ID}, map[string]any{
				"agent_id": agentID, "name": of.Name, "version": in.Version, "cases": len(cases), "repeats": repeats,
			})
	})
	if err == nil {
		s.hub.Wake(Topic)
	}
	return r, err
}

// lockSubject reads what a run tests and keeps the cases of the agent from changing.
func lockSubject(
	ctx context.Context, tx pgx.Tx, organizationID, agentID uuid.UUID, version *int,
) (of subject, err error) {
	of, err = postgres.CollectOne(ctx, tx, pgx.RowToStructByName[subject], `
		select name, `+sqlDraftSHA+` as sha256, script, test_revision from agent
		where organization_id = $1 and id = $2 and deactivated_at is null for no key update`, organizationID, agentID)
	if errors.Is(err, pgx.ErrNoRows) {
		return of, fault.NotFoundf("Agent")
	}
	if err != nil {
		return of, fmt.Errorf("read agent %s for a test: %w", agentID, err)
	}
	var running int
	err = tx.QueryRow(ctx, `
		select count(*) from agent_test_run where organization_id = $1 and agent_id = $2 and status = 'running'`,
		organizationID, agentID).Scan(&running)
	if err != nil {
		return of, fmt.Errorf("count the test runs of agent %s: %w", agentID, err)
	}
	if running >= maxRunning {
		return of, fault.Conflictf("%d test runs of this agent are under way. Wait for them or cancel one", running)
	}
	if version == nil {
		return of, nil
	}
	err = tx.QueryRow(ctx, `
		select sha256, script from agent_version where organization_id = $1 and agent_id = $2 and number = $3`,
		organizationID, agentID, *version).Scan(&of.SHA256, &of.Script)
	if errors.Is(err, pgx.ErrNoRows) {
		return of, fault.Invalidf("version", "no such version")
	}
	if err != nil {
		return of, fmt.Errorf("read version %d of agent %s for a test: %w", *version, agentID, err)
	}
	return of, nil
}

// casesOf reads the cases of a run. complete reports whether they are all of the agent's.
func casesOf(
	ctx context.Context, tx pgx.Tx, agentID uuid.UUID, ids []string,
) (cases []tested, complete bool, err error) {
	all, err := postgres.Collect(ctx, tx, pgx.RowToStructByName[Case], `
		select `+caseColumns+` from agent_test_case where agent_id = $1 order by created_at, id`, agentID)
	if err != nil {
		return nil, false, fmt.Errorf("read the test cases of agent %s: %w", agentID, err)
	}
	var p fault.Problems
	wanted := map[uuid.UUID]bool{}
	for i, text := range ids {
		id, _ := check.ParseID(text)
		if !slices.ContainsFunc(all, func(c Case) bool { return c.ID == id }) {
			p.Addf(fmt.Sprintf("case_ids[%d]", i), "no such test case")
		}
		wanted[id] = true
	}
	for _, c := range all {
		if len(ids) == 0 || wanted[c.ID] {
			cases = append(cases, tested{ID: &c.ID, Name: c.Name, Content: c.Content})
		}
	}
	return cases, len(cases) == len(all), p.Err()
}

// newRun is what insertRun writes.
type newRun struct {
	RunInput
	repeats  int
	cases    []tested
	complete bool
}

func insertRun(
	ctx context.Context, tx pgx.Tx, actor account.Actor, agentID uuid.UUID, of subject, n newRun,
) (Run, error) {
	id := uuid.Must(uuid.NewV7())
	var revision *int
	if n.complete {
		revision = &of.TestRevision
	}
	_, err := tx.Exec(ctx, `
		insert into agent_test_run (id, organization_id, agent_id, version, sha256, agent_name, script, cases, repeats,
			difficult_callees, revision, created_by)
		values (@id, @organization_id, @agent_id, @version, @sha256, @agent_name, @script, @cases, @repeats,
			@difficult_callees, @revision, @created_by)`, pgx.NamedArgs{
		"id": id, "organization_id": actor.OrganizationID, "agent_id": agentID, "version": n.Version,
		"sha256": of.SHA256, "agent_name": of.Name, "script": of.Script, "cases": n.cases, "repeats": n.repeats,
		"difficult_callees": n.DifficultCallees, "revision": revision, "created_by": actor.Name,
	})
	if err != nil {
		return Run{}, fmt.Errorf("insert a test run of agent %s: %w", agentID, err)
	}
	var rows [][]any
	for repeat := 1; repeat <= n.repeats; repeat++ { // every case once, before any of them again
		for i, c := range n.cases {
			rows = append(rows, []any{
				uuid.Must(uuid.NewV7()), actor.OrganizationID, id, i, repeat, c.asks(of.Script),
			})
		}
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"agent_test_attempt"},
		[]string{"id", "organization_id", "run_id", "case_index", "repeat", "connection_ids"}, pgx.CopyFromRows(rows))
	if err != nil {
		return Run{}, fmt.Errorf("insert the attempts of test run %s: %w", id, err)
	}
	return oneRun(ctx, tx, actor.OrganizationID, agentID, id)
}

// asks are the connections that an attempt of a case needs, each once.
func (c tested) asks(script conversation.Script) []uuid.UUID {
	ids := []uuid.UUID{}
	if script.Model != nil {
		ids = append(ids, script.Model.ConnectionID)
	}
	for _, id := range c.Content.connections() {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func oneRun(ctx context.Context, db postgres.DB, organizationID, agentID, id uuid.UUID) (Run, error) {
	r, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Run], `
		select `+runColumns+` from agent_test_run
		where organization_id = @organization_id and agent_id = @agent_id and id = @id`,
		caseArgs(organizationID, agentID, id))
	if errors.Is(err, pgx.ErrNoRows) {
		return r, fault.NotFoundf("Test run")
	}
	if err != nil {
		return r, fmt.Errorf("read test run %s: %w", id, err)
	}
	return r, nil
}

// Runs lists the runs of an agent, newest first. Errors: NotFound for an unknown or foreign agent.
func (s *Service) Runs(
	ctx context.Context, organizationID, agentID uuid.UUID, r page.Request,
) (page.List[Run], error) {
	if err := exists(ctx, s.pool, organizationID, agentID); err != nil {
		return page.List[Run]{Data: []Run{}}, err
	}
	return page.Read(ctx, s.pool, r, "list test runs", `
		select `+runColumns+` from agent_test_run
		where organization_id = @organization_id and agent_id = @agent_id and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID, "agent_id": agentID},
		func(r Run) (time.Time, uuid.UUID) { return r.CreatedAt, r.ID })
}

// Newest returns the newest run of an agent, and whether it tested exactly the draft. Without a run, its ID is nil.
func (s *Service) Newest(ctx context.Context, organizationID, agentID uuid.UUID) (r Run, ofDraft bool, err error) {
	runs, err := s.Runs(ctx, organizationID, agentID, page.Request{Limit: 1})
	if err != nil || len(runs.Data) == 0 {
		return r, false, err
	}
	err = s.pool.QueryRow(ctx, `
		select `+sqlDraftSHA+` = $3 from agent where organization_id = $1 and id = $2`,
		organizationID, agentID, runs.Data[0].SHA256).Scan(&ofDraft)
	if err != nil {
		return r, false, fmt.Errorf("compare the draft of agent %s with a run: %w", agentID, err)
	}
	return runs.Data[0], ofDraft, nil
}

// Attempt is one conversation of a run.
type Attempt struct {
	ID         uuid.UUID
	CaseIndex  int
	CaseID     *uuid.UUID // nil: a difficult callee
	CaseName   string
	Repeat     int // from 1
	Status     Status
	Error      *string // why there is no result
	StartedAt  *time.Time
	FinishedAt *time.Time
}

const attemptColumns = `a.id, a.case_index, (r.cases -> a.case_index ->> 'id')::uuid as case_id,
	r.cases -> a.case_index ->> 'name' as case_name, a.repeat, a.status, a.error, a.started_at, a.finished_at`

// Run returns a run with its attempts, by case. Errors: NotFound.
func (s *Service) Run(ctx context.Context, organizationID, agentID, id uuid.UUID) (Run, []Attempt, error) {
	if err := exists(ctx, s.pool, organizationID, agentID); err != nil {
		return Run{}, nil, err
	}
	r, err := oneRun(ctx, s.pool, organizationID, agentID, id)
	if err != nil {
		return r, nil, err
	}
	attempts, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Attempt], `
		select `+attemptColumns+`
		from agent_test_attempt a join agent_test_run r on r.id = a.run_id
		where a.organization_id = $1 and a.run_id = $2
		order by a.case_index, a.repeat`, organizationID, id)
	if err != nil {
		return r, nil, fmt.Errorf("read the attempts of test run %s: %w", id, err)
	}
	return r, attempts, nil
}

// Attempt returns an attempt of a run and its result; nil: there is none. Errors: NotFound.
func (s *Service) Attempt(
	ctx context.Context, organizationID, agentID, runID, id uuid.UUID,
) (Attempt, *Result, error) {
	if err := exists(ctx, s.pool, organizationID, agentID); err != nil {
		return Attempt{}, nil, err
	}
	if _, err := oneRun(ctx, s.pool, organizationID, agentID, runID); err != nil {
		return Attempt{}, nil, err
	}
	type row struct {
		Attempt
		Result []byte
	}
	found, err := postgres.CollectOne(ctx, s.pool, pgx.RowToStructByName[row], `
		select `+attemptColumns+`, a.result
		from agent_test_attempt a join agent_test_run r on r.id = a.run_id
		where a.organization_id = $1 and a.run_id = $2 and a.id = $3`, organizationID, runID, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return found.Attempt, nil, fault.NotFoundf("Attempt")
	}
	if err != nil {
		return found.Attempt, nil, fmt.Errorf("read attempt %s: %w", id, err)
	}
	if found.Result == nil {
		return found.Attempt, nil, nil
	}
	var result Result
	if err := json.Unmarshal(found.Result, &result); err != nil {
		return found.Attempt, nil, fmt.Errorf("read the result of attempt %s: %w", id, err)
	}
	return found.Attempt, &result, nil
}

// Cancel ends a run. Attempts that a process runs are stopped. Errors: NotFound, and Conflict for a run that has ended.
func (s *Service) Cancel(ctx context.Context, actor account.Actor, agentID, id uuid.UUID) (r Run, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := exists(ctx, tx, actor.OrganizationID, agentID); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			update agent_test_run set status = 'canceled', finished_at = clock()
			where organization_id = $1 and agent_id = $2 and id = $3 and status = 'running'`,
			actor.OrganizationID, agentID, id)
		if err != nil {
			return fmt.Errorf("cancel test run %s: %w", id, err)
		}
		if tag.RowsAffected() > 0 {
			_, err = tx.Exec(ctx, `
				update agent_test_attempt
				set status = 'canceled', lease = null, lease_until = null, finished_at = clock()
				where organization_id = $1 and run_id = $2 and status in ('queued', 'running')`,
				actor.OrganizationID, id)
			if err != nil {
				return fmt.Errorf("cancel the attempts of test run %s: %w", id, err)
			}
		}
		if r, err = oneRun(ctx, tx, actor.OrganizationID, agentID, id); err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return fault.Conflictf("The test run has ended")
		}
		var name string
		err = tx.QueryRow(ctx, `select agent_name from agent_test_run where id = $1`, id).Scan(&name)
		if err != nil {
			return fmt.Errorf("read the agent of test run %s: %w", id, err)
		}
		return account.Record(ctx, tx, actor, "agent_test_run.canceled",
			account.Object{Type: "agent_test_run", ID: id}, map[string]any{"agent_id": agentID, "name": name})
	})
	if err == nil {
		s.hub.Wake(RunTopic(id))
	}
	return r, err
}

// Sweep deletes runs that ended 90 days ago, with their transcripts. It is a periodic task.
func (s *Service) Sweep(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		delete from agent_test_run where id in (
			select id from agent_test_run where finished_at < clock() - $1 * interval '1 day' limit 1000)`, keepDays)
	if err != nil {
		return fmt.Errorf("delete old test runs: %w", err)
	}
	return nil
}
