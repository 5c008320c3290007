package dialer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Stopped records who stopped all calling of an organization, and when.
type Stopped struct {
	At time.Time
	By string // display name
}

// Stop stops all calling of the actor's organization. After it returns, no process claims another
// call, and calls that were claimed but not requested are never placed. These recipients lose no
// attempt. Calls in progress continue unless hangUp is set. With hangUp, Stop asks the carrier to
// end all calls in progress and returns their number. If calling is already stopped, the record of
// the stop does not change, and calls can still be hung up. Errors: NotFound.
func (s *Service) Stop(ctx context.Context, actor account.Actor, hangUp bool) (ended int, err error) {
	var halted call.Halted
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		// Claims need this lock. The statement that halts claimed calls sees every
		// earlier claim, and no later claim follows.
		was, err := lockStopped(ctx, tx, actor.OrganizationID)
		if err != nil {
			return err
		}
		if was == nil {
			_, err := tx.Exec(ctx, `
				update organization set calling_stopped_at = (select clock()), calling_stopped_by = $2
				where id = $1`, actor.OrganizationID, actor.Name)
			if err != nil {
				return fmt.Errorf("stop all calling: %w", err)
			}
		}
		if halted, err = s.calls.Halt(ctx, tx, actor, hangUp); err != nil {
			return err
		}
		if was != nil && !hangUp {
			return nil
		}
		if err := lookAgain(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "organization.calling_stopped", account.Object{
			Type: "organization", ID: actor.OrganizationID,
		},
			map[string]any{"hang_up": hangUp, "calls": halted.Up()})
	})
	if err != nil {
		return 0, err
	}
	campaign.Wake(s.hub)
	s.calls.HangUp(ctx, halted)
	return halted.Up(), nil
}

// Allow lets the actor's organization call again. Its campaigns continue where they
// stopped. Errors: NotFound.
func (s *Service) Allow(ctx context.Context, actor account.Actor) error {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		was, err := lockStopped(ctx, tx, actor.OrganizationID)
		if err != nil || was == nil {
			return err
		}
		_, err = tx.Exec(
			ctx, `update organization set calling_stopped_at = null, calling_stopped_by = '' where id = $1`,
			actor.OrganizationID,
		)
		if err != nil {
			return fmt.Errorf("allow calling: %w", err)
		}
		if err := lookAgain(ctx, tx, actor.OrganizationID); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "organization.calling_allowed", account.Object{
			Type: "organization", ID: actor.OrganizationID,
		},
			map[string]any{"stopped_at": was.At, "stopped_by": was.By})
	})
	if err != nil {
		return err
	}
	campaign.Wake(s.hub)
	return nil
}

// lockStopped locks an organization and returns the stop of all calling, or nil if calling is
// allowed.
func lockStopped(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID) (*Stopped, error) {
	var at *time.Time
	var by string
	err := tx.QueryRow(ctx, `
		select calling_stopped_at, calling_stopped_by from organization where id = $1
		for no key update`, organizationID).Scan(&at, &by)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, fault.NotFoundf("Organization")
	case err != nil:
		return nil, fmt.Errorf("lock an organization: %w", err)
	case at == nil:
		return nil, nil
	}
	return &Stopped{At: *at, By: by}, nil
}
