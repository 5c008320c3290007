package evaluation

import (
	"context"
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
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/postgres"
)

// MaxCases is how many test cases an agent has at most.
const MaxCases = 200

const caseColumns = `id, agent_id, name, content, created_at, updated_at`

// Cases lists the test cases of an agent, newest first. Errors: NotFound for an unknown or foreign agent.
func (s *Service) Cases(
	ctx context.Context, organizationID, agentID uuid.UUID, r page.Request,
) (page.List[Case], error) {
	if err := exists(ctx, s.pool, organizationID, agentID); err != nil {
		return page.List[Case]{Data: []Case{}}, err
	}
	return page.Read(ctx, s.pool, r, "list test cases", `
		select `+caseColumns+` from agent_test_case
		where organization_id = @organization_id and agent_id = @agent_id and `+page.Where+`
		`+page.Order, pgx.NamedArgs{"organization_id": organizationID, "agent_id": agentID},
		func(c Case) (time.Time, uuid.UUID) { return c.CreatedAt, c.ID })
}

// exists reports an agent that is unknown, foreign or deactivated. Error: NotFound.
func exists(ctx context.Context, db postgres.DB, organizationID, agentID uuid.UUID) error {
	_, err := postgres.CollectOne(ctx, db, pgx.RowTo[bool], `
		select true from agent where organization_id = $1 and id = $2 and deactivated_at is null`,
		organizationID, agentID)
	if errors.Is(err, pgx.ErrNoRows) {
		return fault.NotFoundf("Agent")
	}
	if err != nil {
		return fmt.Errorf("look for agent %s: %w", agentID, err)
	}
	return nil
}

// Case returns a test case of an agent. Errors: NotFound.
func (s *Service) Case(ctx context.Context, organizationID, agentID, id uuid.UUID) (Case, error) {
	if err := exists(ctx, s.pool, organizationID, agentID); err != nil {
		return Case{}, err
	}
	return oneCase(ctx, s.pool, caseByID, caseArgs(organizationID, agentID, id))
}

const caseByID = `
	select ` + caseColumns + ` from agent_test_case
	where organization_id = @organization_id and agent_id = @agent_id and id = @id`

func caseArgs(organizationID, agentID, id uuid.UUID) pgx.NamedArgs {
	return pgx.NamedArgs{"organization_id": organizationID, "agent_id": agentID, "id": id}
}

// oneCase runs a statement that returns one case. Errors: NotFound, and Invalid for a name that is taken.
func oneCase(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Case, error) {
	c, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Case], sql, args)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return c, fault.NotFoundf("Test case")
	case postgres.Constraint(err) == "agent_test_case_name":
		return c, fault.Invalidf("name", "is the name of another test case of the agent")
	case err != nil:
		return c, fmt.Errorf("query a test case: %w", err)
	}
	return c, nil
}

// CreateCase adds a test case to an agent. Errors: Invalid, NotFound, and Conflict for an agent with MaxCases.
func (s *Service) CreateCase(
	ctx context.Context, actor account.Actor, agentID uuid.UUID, in CaseInput,
) (c Case, err error) {
	id := uuid.Must(uuid.NewV7())
	err = s.changeCases(ctx, actor, agentID, &in, func(tx pgx.Tx) error {
		var n int
		err := tx.QueryRow(ctx, `select count(*) from agent_test_case where agent_id = $1`, agentID).Scan(&n)
		if err != nil {
			return fmt.Errorf("count the test cases of agent %s: %w", agentID, err)
		}
		if n >= MaxCases {
			return fault.Conflictf("The agent has %d test cases, which is the limit", MaxCases)
		}
		args := caseArgs(actor.OrganizationID, agentID, id)
		args["name"], args["content"] = in.Name, in.Content
		c, err = oneCase(ctx, tx, `
			insert into agent_test_case (id, organization_id, agent_id, name, content)
			values (@id, @organization_id, @agent_id, @name, @content)
			returning `+caseColumns, args)
		if err != nil {
			return err
		}
		return recordCase(ctx, tx, actor, "agent_test_case.created", c)
	})
	return c, err
}

// ReplaceCase replaces a test case. Unchanged may refuse the change of the case as it is then, and may be nil. Errors:
// Invalid, NotFound, and that of unchanged.
func (s *Service) ReplaceCase(
	ctx context.Context, actor account.Actor, agentID, id uuid.UUID, in CaseInput, unchanged func(Case) error,
) (c Case, err error) {
	err = s.changeCases(ctx, actor, agentID, &in, func(tx pgx.Tx) (err error) {
		args := caseArgs(actor.OrganizationID, agentID, id)
		old, err := oneCase(ctx, tx, caseByID, args) // the agent's lock keeps it as it is
		if err != nil {
			return err
		}
		if err := check.Precondition(old, unchanged); err != nil {
			return err
		}
		args["name"], args["content"] = in.Name, in.Content
		c, err = oneCase(ctx, tx, `
			update agent_test_case set name = @name, content = @content, updated_at = clock()
			where organization_id = @organization_id and agent_id = @agent_id and id = @id
			returning `+caseColumns, args)
		if err != nil {
			return err
		}
		return recordCase(ctx, tx, actor, "agent_test_case.updated", c)
	})
	return c, err
}

// DeleteCase deletes a test case. Runs keep what they tested. Errors: NotFound.
func (s *Service) DeleteCase(ctx context.Context, actor account.Actor, agentID, id uuid.UUID) error {
	return s.changeCases(ctx, actor, agentID, nil, func(tx pgx.Tx) error {
		c, err := oneCase(ctx, tx, `
			delete from agent_test_case
			where organization_id = @organization_id and agent_id = @agent_id and id = @id
			returning `+caseColumns, caseArgs(actor.OrganizationID, agentID, id))
		if err != nil {
			return err
		}
		return recordCase(ctx, tx, actor, "agent_test_case.deleted", c)
	})
}

func recordCase(ctx context.Context, tx pgx.Tx, actor account.Actor, action string, c Case) error {
	return account.Record(ctx, tx, actor, action, account.Object{Type: "agent_test_case", ID: c.ID},
		map[string]any{"name": c.Name, "agent_id": c.AgentID})
}

// changeCases changes the cases of an agent under the lock of its row. From then on, older runs no longer have all
// cases of the agent.
func (s *Service) changeCases(
	ctx context.Context, actor account.Actor, agentID uuid.UUID, in *CaseInput, change func(pgx.Tx) error,
) error {
	if in != nil {
		if err := in.Validate(); err != nil {
			return err
		}
	}
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var draft conversation.Script
		err := tx.QueryRow(ctx, `
			update agent set test_revision = test_revision + 1
			where organization_id = $1 and id = $2 and deactivated_at is null
			returning script`, actor.OrganizationID, agentID).Scan(&draft)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.NotFoundf("Agent")
		}
		if err != nil {
			return fmt.Errorf("count a change of the test cases of agent %s: %w", agentID, err)
		}
		if in != nil {
			var p fault.Problems
			if err := checkConnections(ctx, tx, actor.OrganizationID, in.connections(), &p); err != nil {
				return err
			}
			if err := checkNames(ctx, tx, actor.OrganizationID, draft, in.Content, &p); err != nil {
				return err
			}
			if err := p.Err(); err != nil {
				return err
			}
		}
		return change(tx)
	})
}

// checkConnections checks that connections are the organization's and in use. The problem is the same for an unknown,
// foreign or deactivated one.
func checkConnections(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, wanted map[string]uuid.UUID, p *fault.Problems,
) error {
	ids := []uuid.UUID{}
	paths := make([]string, 0, len(wanted))
	for path, id := range wanted {
		ids, paths = append(ids, id), append(paths, path)
	}
	found, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], `
		select id from model_connection where organization_id = $1 and id = any($2) and deactivated_at is null`,
		organizationID, ids)
	if err != nil {
		return fmt.Errorf("look for the connections of a test case: %w", err)
	}
	slices.Sort(paths)
	for _, path := range paths {
		if !slices.Contains(found, wanted[path]) {
			p.Addf(path, "no such connection")
		}
	}
	return nil
}
