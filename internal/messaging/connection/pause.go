package connection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/messaging/cloud"
	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	slowDown    = time.Second      // how long a number rests that the operator finds too fast
	numberPause = time.Hour        // before a refused number is tried again, with one look's messages
	loginPause  = 15 * time.Minute // the same for refused credentials; replacing them ends it
)

// Route is what a message is sent over.
type Route struct {
	NumberID     uuid.UUID
	ConnectionID uuid.UUID
	TemplateID   *uuid.UUID // nil: the operator no longer lists it
}

// Refused pauses what an error is to blame on, so that the next messages don't run
// into it too, and leaves word for people. That it could not be written is no
// reason to lose what became of the message.
func (s *Service) Refused(ctx context.Context, on Route, e *cloud.Error) {
	var err error
	switch e.Class {
	case cloud.StopNumber:
		err = s.pause(ctx, tableNumber, on.NumberID, e.Reason, max(numberPause, e.RetryAfter))
	case cloud.StopCredentials:
		err = s.pause(ctx, tableConnection, on.ConnectionID, e.Reason, max(loginPause, e.RetryAfter))
		s.forget(on.ConnectionID)
	case cloud.StopTemplate:
		if on.TemplateID != nil && !e.AboutVariables() {
			err = s.pause(ctx, tableTemplate, *on.TemplateID, e.Reason, max(numberPause, e.RetryAfter))
		}
	case cloud.Retry:
		if e.LimitSuspected() {
			_, err = s.pool.Exec(ctx, `update messaging_number set pace_at = greatest(pace_at, clock() + @rest::interval) where id = @id`,
				pgx.NamedArgs{"id": on.NumberID, "rest": max(slowDown, e.RetryAfter)})
		}
	}
	if e.LimitSuspected() && err == nil {
		// Read the limit again, at the next chance.
		_, err = s.pool.Exec(ctx, `update messaging_connection set read_at = null where id = @id`, pgx.NamedArgs{"id": on.ConnectionID})
	}
	if err != nil {
		s.log.ErrorContext(ctx, "sending could not be paused after a refusal of WhatsApp", "class", e.Class, "code", e.Code, "error", err)
	}
}

// pause keeps messages from a number, a connection or of a template for a while.
func (s *Service) pause(ctx context.Context, table table, id uuid.UUID, why string, d time.Duration) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var organizationID uuid.UUID
		var again bool
		err := tx.QueryRow(ctx, `
			update `+string(table)+` p
			set paused_reason = @why, paused_until = greatest(p.paused_until, clock() + @d::interval)
			from `+string(table)+` before
			where p.id = @id and before.id = p.id
			returning p.organization_id, before.paused_reason is not null`,
			pgx.NamedArgs{"id": id, "why": why, "d": d}).Scan(&organizationID, &again)
		if err != nil {
			return fmt.Errorf("pause %s %s: %w", table, id, err)
		}
		if again {
			return nil
		}
		s.log.WarnContext(ctx, "WhatsApp refuses messages", "paused", table, "id", id, "reason", why)
		return record(ctx, tx, account.System(organizationID), table, id, "paused",
			map[string]any{"reason": why, "minutes": cmp.Or(int(d/time.Minute), 1)})
	})
}

// Resume ends the pauses that a message would have run into and did not: it was
// taken after their time was over.
func (s *Service) Resume(ctx context.Context, on Route) {
	type paused struct {
		table table
		id    uuid.UUID
	}
	all := []paused{{tableNumber, on.NumberID}, {tableConnection, on.ConnectionID}}
	if on.TemplateID != nil {
		all = append(all, paused{tableTemplate, *on.TemplateID})
	}
	for _, p := range all {
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			var organizationID uuid.UUID
			err := tx.QueryRow(ctx, `
				update `+string(p.table)+` set paused_reason = null, paused_until = null
				where id = @id and paused_until <= clock()
				returning organization_id`, pgx.NamedArgs{"id": p.id}).Scan(&organizationID)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("resume %s %s: %w", p.table, p.id, err)
			}
			return record(ctx, tx, account.System(organizationID), p.table, p.id, "resumed", nil)
		})
		if err != nil {
			s.log.ErrorContext(ctx, "a pause that is over could not be ended", "paused", p.table, "id", p.id, "error", err)
		}
	}
}
