package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// recoverable is how far back Recover reaches: as far as the log does.
const recoverable = 30 * 24 * time.Hour

// Recovery queues the deliveries that failed since a time and the events that the webhook
// missed while it was inactive. Engines process it in batches.
type Recovery struct {
	ID         uuid.UUID
	WebhookID  uuid.UUID
	Since      time.Time
	Until      time.Time // when the recovery was requested
	At         time.Time // progress, from Since to Until
	Retried    int       // failed deliveries queued again
	Added      int       // events that had no delivery
	CreatedBy  string    // as shown to people
	CreatedAt  time.Time
	FinishedAt *time.Time // nil while it runs
}

const recoveryColumns = `id, webhook_id, since, until, at, retried, added, created_by, created_at, finished_at`

// Recover queues a webhook's failed deliveries and missed events since a time. Failed
// deliveries run through the whole schedule again. Events that occurred while the webhook
// was inactive are sent if it subscribes to them and its filters let them pass now. Errors: NotFound, Invalid, and
// Conflict while the webhook is inactive or another recovery of it runs.
func (s *Service) Recover(
	ctx context.Context, actor account.Actor, webhookID uuid.UUID, since time.Time,
) (r Recovery, err error) {
	since = since.Truncate(time.Millisecond) // the precision of the column
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		w, err := lock(ctx, tx, actor.OrganizationID, webhookID)
		if err != nil {
			return err
		}
		var now time.Time
		if err := tx.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
			return fmt.Errorf("read the clock: %w", err)
		}
		switch {
		case since.After(now):
			return fault.Invalidf("since", "must not be in the future")
		case since.Before(now.Add(-recoverable)):
			return fault.Invalidf("since", "must be within the last %d days", recoverable/(24*time.Hour))
		case !w.IsActive:
			return fault.Conflictf("Webhook is inactive and cannot be recovered")
		}
		id := uuid.Must(uuid.NewV7())
		r, err = oneRecovery(ctx, tx, `
			insert into webhook_recovery (id, organization_id, webhook_id, since, until, at, created_by, created_at)
			values (@id, @organization_id, @webhook_id, @since, @now, @since, @created_by, @now)
			returning `+recoveryColumns, pgx.NamedArgs{
			"id": id, "organization_id": actor.OrganizationID, "webhook_id": webhookID, "since": since, "now": now,
			"created_by": actor.Name,
		})
		if postgres.Constraint(err) == "webhook_recovery_one" {
			return fault.Conflictf("Webhook is being recovered already")
		}
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "webhook.recovered", account.Object{Type: "webhook", ID: webhookID},
			map[string]any{"name": w.Name, "since": since})
	})
	if err != nil {
		return Recovery{}, err
	}
	s.wake()
	return r, nil
}

// LatestRecovery returns the most recent recovery of a webhook. Errors: NotFound, also if
// the webhook never had a recovery.
func (s *Service) LatestRecovery(ctx context.Context, organizationID, webhookID uuid.UUID) (Recovery, error) {
	if _, err := s.Get(ctx, organizationID, webhookID); err != nil {
		return Recovery{}, err
	}
	return oneRecovery(ctx, s.pool, `
		select `+recoveryColumns+` from webhook_recovery
		where webhook_id = @webhook_id and organization_id = @organization_id
		order by created_at desc, id desc limit 1`,
		pgx.NamedArgs{"webhook_id": webhookID, "organization_id": organizationID})
}

func oneRecovery(ctx context.Context, db postgres.DB, sql string, args pgx.NamedArgs) (Recovery, error) {
	r, err := postgres.CollectOne(ctx, db, pgx.RowToStructByName[Recovery], sql, args)
	if errors.Is(err, pgx.ErrNoRows) {
		return Recovery{}, fault.NotFoundf("Recovery")
	}
	if err != nil {
		return Recovery{}, fmt.Errorf("query a recovery: %w", err)
	}
	return r, nil
}
