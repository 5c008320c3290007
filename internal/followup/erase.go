package followup

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/webhook"
)

// Erase removes a person from the follow-ups of calls, in the transaction that erases the calls. It returns the number
// of events that it changed. Errors: webhook.ErrDelivering.
func Erase(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, calls []uuid.UUID) (events int, err error) {
	const blank = `update follow_up set reason = '', note = '' where organization_id = $1 and call_id = any($2)`
	return forget(ctx, tx, organizationID, calls, blank, webhook.Blank{
		"reason": "", "note": "", "phone_number": "", "recipient": nil,
	})
}

// Forget removes what was said in calls from their follow-ups, in the transaction that removes the transcripts. What
// people wrote themselves stays. Errors: webhook.ErrDelivering.
func Forget(ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, calls []uuid.UUID) error {
	const blank = `update follow_up set reason = ''
		where organization_id = $1 and call_id = any($2) and kind <> 'manual'`
	_, err := forget(ctx, tx, organizationID, calls, blank, webhook.Blank{"reason": ""})
	return err
}

func forget(
	ctx context.Context, tx pgx.Tx, organizationID uuid.UUID, calls []uuid.UUID, update string, blank webhook.Blank,
) (events int, err error) {
	// Whoever locks several follow-ups locks them by ID.
	if _, err := tx.Exec(ctx, `
		select from follow_up where organization_id = $1 and call_id = any($2) order by id for no key update`,
		organizationID, calls); err != nil {
		return 0, fmt.Errorf("lock the follow-ups of %d calls: %w", len(calls), err)
	}
	ids, err := postgres.Collect(ctx, tx, pgx.RowTo[uuid.UUID], update+` returning id`, organizationID, calls)
	if err != nil {
		return 0, fmt.Errorf("forget the follow-ups of %d calls: %w", len(calls), err)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	return webhook.Redact(ctx, tx, organizationID, ids, blank)
}
