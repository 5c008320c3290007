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
	slowDown    = time.Second      // the pause of a number after it sent too fast
	numberPause = time.Hour        // the pause of a refused number or template; then one pass tries again
	loginPause  = 15 * time.Minute // the pause after refused credentials; new credentials end it
)

// Route is what a message is sent with.
type Route struct {
	NumberID     uuid.UUID
	ConnectionID uuid.UUID
	TemplateID   *uuid.UUID // nil: the template is unknown
}

// Refused pauses the number, connection or template that the operator's error is about,
// so the next messages do not run into it too. The reason is shown to people. A failure
// to write it is only logged: the result of the message matters more.
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
			_, err = s.pool.Exec(ctx, `update messaging_number
				set pace_at = greatest(pace_at, clock() + @rest::interval) where id = @id`,
				pgx.NamedArgs{"id": on.NumberID, "rest": max(slowDown, e.RetryAfter)})
		}
	}
	if e.LimitSuspected() && err == nil {
		// The limit is read again at once.
		_, err = s.pool.Exec(ctx, `update messaging_connection set read_at = null where id = @id`, pgx.NamedArgs{
			"id": on.ConnectionID,
		})
	}
	if err != nil {
		s.log.ErrorContext(ctx, "sending could not be paused after a refusal of WhatsApp", "class", e.Class, "code",
			e.Code, "error", err)
	}
}

// pause stops messages over a number, a connection or a template for a while.
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

// Resume ends the pauses of a route after the operator accepted a message over it. Pauses
// that still run are kept.
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
			s.log.ErrorContext(ctx, "a pause that is over could not be ended", "paused", p.table, "id", p.id, "error",
				err)
		}
	}
}
