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

// Parts are the resources that a campaign uses.
type Parts struct {
	Project project.Project
	Number  project.PhoneNumber // the zero number: the campaign calls from the pool
	Pool    *project.NumberPool
	Agent   project.Agent
	// Versions are the versions of the agent that were chosen, at most two: the second one is the split's.
	Versions []project.AgentVersion
	Followed []project.AgentContent // what calls follow: that of Versions, or the published one, or the draft
	Now      time.Time              // the time of clock()
}

// ConnectionID returns the connection of the number or of the pool.
func (p Parts) ConnectionID() uuid.UUID {
	if p.Pool != nil {
		return p.Pool.ConnectionID
	}
	return p.Number.ConnectionID
}

// NumberIDs returns the number, or the numbers of the pool.
func (p Parts) NumberIDs() []uuid.UUID {
	if p.Pool != nil {
		return p.Pool.PhoneNumberIDs
	}
	return []uuid.UUID{p.Number.ID}
}

func (p Parts) callsFrom() CallsFrom {
	if p.Pool != nil {
		return CallsFrom{NumberPoolID: p.Pool.ID}
	}
	return CallsFrom{PhoneNumberID: p.Number.ID}
}

// CallsFrom is what a campaign calls from: a phone number or a pool. The other is zero.
type CallsFrom struct {
	PhoneNumberID uuid.UUID
	NumberPoolID  uuid.UUID
}

// orNil returns nil for the zero ID, for a nullable column.
func orNil(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

// UseParts reads a project, an agent and a phone number or a pool, and keeps them from being
// removed until tx is committed. Errors: Invalid, which names the parts that the
// organization does not have, and Invalid for an agent in whose language "stop" is not understood.
func UseParts(
	ctx context.Context, tx pgx.Tx, organizationID, projectID uuid.UUID, agent UsedAgent, from CallsFrom,
) (Parts, error) {
	var p Parts
	var problems fault.Problems
	failed := func(err error) bool { // a missing part is collected in problems
		problems.Also(err)
		return err != nil && fault.KindOf(err) != fault.Invalid
	}
	var err error
	if p.Project, err = project.LockProjectForUse(ctx, tx, organizationID, projectID); failed(err) {
		return p, err
	}
	if p.Agent, err = project.LockAgentForUse(ctx, tx, organizationID, agent.ID); failed(err) {
		return p, err
	} else if err == nil {
		if p.Versions, p.Followed, err = agent.versions(ctx, tx, organizationID, p.Agent); failed(err) {
			return p, err
		}
	}
	if from.NumberPoolID != uuid.Nil {
		pool, err := project.LockNumberPoolForUse(ctx, tx, organizationID, from.NumberPoolID)
		if failed(err) {
			return p, err
		}
		p.Pool = &pool
	} else if p.Number, err = project.LockPhoneNumberForUse(
		ctx, tx, organizationID, from.PhoneNumberID,
	); failed(err) {
		return p, err
	}
	if err := problems.Err(); err != nil {
		return p, err
	}
	if err := tx.QueryRow(ctx, `select clock()`).Scan(&p.Now); err != nil {
		return p, fmt.Errorf("read the clock: %w", err)
	}
	return p, nil
}
