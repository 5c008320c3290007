package campaign

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// maxNotReadyReason is how many characters may say why a campaign starts on a connection
// that is not ready.
const maxNotReadyReason = 500

// notReady is a connection that is not ready, and why a campaign starts on it anyway. The
// zero value: it is ready.
type notReady struct {
	checks string // in words
	reason string
}

// allow decides whether a campaign may start that calls from numbers of a connection. A connection
// that is not ready for these numbers needs a reason. Its checks are those of CheckIfOld, which the
// caller ran before the transaction. Errors: a Conflict that names the checks, and of
// not_ready_reason for an actor who may give a reason; Forbidden for a reason of another.
func allow(
	ctx context.Context, tx pgx.Tx, actor account.Actor, connectionID uuid.UUID, numbers []uuid.UUID, reason string,
) (notReady, error) {
	c, blocking, err := project.Unready(ctx, tx, actor.OrganizationID, connectionID, numbers...)
	if err != nil || len(blocking) == 0 {
		return notReady{}, err
	}
	checks := make([]string, len(blocking))
	for i, b := range blocking {
		checks[i] = b.Label()
	}
	words := strings.Join(checks, "; ")
	may := actor.May(account.ManageConnections)
	if reason == "" && !may {
		return notReady{}, fault.Conflictf("Connection %s is not ready for real calls: %s. Ask an admin to fix this "+
			"or to start the campaign anyway", c.Name, words)
	}
	if reason == "" {
		refused := fault.Conflictf("Connection %s is not ready for real calls: %s. Fix this, or say in "+
			"not_ready_reason why the campaign starts anyway", c.Name, words)
		refused.Fields = []fault.Field{{
			Path:    "not_ready_reason",
			Message: "required, because the connection " + c.Name + " is not ready for real calls",
		}}
		return notReady{}, refused
	}
	if !may {
		return notReady{}, fault.New(fault.Forbidden,
			"Only an admin may start a campaign on a connection that is not ready")
	}
	return notReady{checks: c.Name + ": " + words, reason: reason}, nil
}

// writeTo adds the reason to the audit entry and the log entry of a change.
func (n notReady) writeTo(c *change) {
	if n.reason == "" {
		return
	}
	c.data["not_ready"], c.data["not_ready_reason"] = n.checks, n.reason
	c.details.NotReady, c.details.Reason = n.checks, n.reason
}

// AskReadiness has the connection of a draft checked if its checks are old, because a
// transaction must not wait for the carrier. The draft must have passed Check.
func (s *Service) AskReadiness(ctx context.Context, organizationID uuid.UUID, d *Draft) error {
	if d.askedReadiness || d.AsDraft { // Start asks
		return nil
	}
	if err := s.checkConnectionOf(ctx, organizationID, d.checked.from); err != nil {
		return err
	}
	d.askedReadiness = true
	return nil
}

// checkConnectionOf has the connection of a phone number or a pool checked if its checks are old. It does nothing if
// the organization does not have them.
func (s *Service) checkConnectionOf(ctx context.Context, organizationID uuid.UUID, from CallsFrom) error {
	var connectionID uuid.UUID
	err := s.db.QueryRow(ctx, `
		select connection_id from phone_number
		where organization_id = @organization_id and id = @number and deactivated_at is null
		union all
		select connection_id from number_pool
		where organization_id = @organization_id and id = @pool and deactivated_at is null`,
		pgx.NamedArgs{
			"organization_id": organizationID,
			"number":          from.PhoneNumberID,
			"pool":            from.NumberPoolID,
		}).Scan(&connectionID)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // the transaction that follows names what is missing
		return nil
	case err != nil:
		return fmt.Errorf("read the connection of numbers: %w", err)
	}
	return s.checkConnection(ctx, organizationID, connectionID)
}

// askAgain has the connection of a campaign checked that was paused before its start.
func (s *Service) askAgain(ctx context.Context, organizationID, id uuid.UUID) error {
	var connectionID uuid.UUID
	var started *time.Time
	err := s.db.QueryRow(ctx, `
		select connection_id, started_at from campaign
		where organization_id = $1 and id = $2`, organizationID, id).Scan(&connectionID, &started)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return fault.NotFoundf("Campaign")
	case err != nil:
		return fmt.Errorf("read the connection of campaign %s: %w", id, err)
	case started != nil:
		return nil
	}
	return s.checkConnection(ctx, organizationID, connectionID)
}

// ResumeAnyway is Resume, and says why the campaign starts if its connection is not ready.
// reason has at most 500 characters. Errors: also Invalid.
func (s *Service) ResumeAnyway(
	ctx context.Context, actor account.Actor, id uuid.UUID, reason string,
) (Campaign, error) {
	var p fault.Problems
	check.Text(&p, "not_ready_reason", &reason, maxNotReadyReason)
	if err := p.Err(); err != nil {
		return Campaign{}, err
	}
	return s.resume(ctx, actor, id, reason)
}
