package project

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
)

// checkTests refuses the draft of a locked agent that must pass its tests first: the newest run that ended, tested
// exactly this content and had all test cases of the agent as they are now. Error: Conflict.
func checkTests(ctx context.Context, tx pgx.Tx, a *Agent) error {
	if !a.RequirePassingTests {
		return nil
	}
	var passed bool
	err := tx.QueryRow(ctx, `
		select r.status = 'passed'
		from agent_test_run r
		join agent on agent.organization_id = r.organization_id and agent.id = r.agent_id
		where agent.id = $1 and r.status in ('passed', 'failed') and r.revision = agent.test_revision
		  and r.sha256 = encode(sha256(convert_to(jsonb_build_array(agent.kind, agent.language, agent.speech,
			agent.script, agent.record_calls)::text, 'UTF8')), 'hex')
		order by r.finished_at desc, r.id desc limit 1`, a.ID).Scan(&passed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return fault.Conflictf("The agent must pass its tests before it is published. Run all of its test cases on " +
			"this draft first")
	case err != nil:
		return fmt.Errorf("read the tests of agent %s: %w", a.ID, err)
	case !passed:
		return fault.Conflictf("The tests of this draft have failed, and the agent must pass them before it is " +
			"published")
	}
	return nil
}
