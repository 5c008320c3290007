package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// parts are what a campaign is made of besides its own settings.
type parts struct {
	project project.Project
	number  project.PhoneNumber
	agent   project.Agent
	now     time.Time // clock()
}

// useParts finds the project, agent and number of a draft and keeps them from
// being removed until the campaign that uses them is committed. Its error is
// Invalid and names those that the organization doesn't have.
func useParts(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, s *settings) (parts, error) {
	var p parts
	var problems fault.Problems
	failed := func(err error) bool { // what is missing is only noted
		problems.Also(err)
		return err != nil && fault.KindOf(err) != fault.Invalid
	}
	var err error
	if p.project, err = project.LockProjectForUse(ctx, tx, organizationID, s.projectID); failed(err) {
		return p, err
	}
	if p.agent, err = project.LockAgentForUse(ctx, tx, organizationID, s.agentID); failed(err) {
		return p, err
	}
	if p.number, err = project.LockPhoneNumberForUse(ctx, tx, organizationID, s.phoneNumberID); failed(err) {
		return p, err
	}
	if err := problems.Err(); err != nil {
		return p, err
	}
	if err := tx.QueryRow(ctx, `select clock()`).Scan(&p.now); err != nil {
		return p, fmt.Errorf("read the clock: %w", err)
	}
	return p, nil
}
