package project

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/postgres"
)

// CountFailure counts a failed request that a connection is to blame for. The dialer
// pauses campaigns after too many in a row.
func CountFailure(ctx context.Context, db postgres.DB, connectionID uuid.UUID, why string) error {
	_, err := db.Exec(ctx, `
		update connection
		set consecutive_errors = consecutive_errors + 1, last_error = $2, last_error_at = clock()
		where id = $1`, connectionID, why)
	if err != nil {
		return fmt.Errorf("count a failure of connection %s: %w", connectionID, err)
	}
	return nil
}

// CountLineFailure counts a call whose line failed, or of which no callback arrived. Such a
// call was placed, so the success of other requests does not clear the count. The dialer
// pauses campaigns after a few in a row.
func CountLineFailure(ctx context.Context, db postgres.DB, connectionID uuid.UUID, why string) error {
	_, err := db.Exec(ctx, `
		update connection
		set line_failures = line_failures + 1, last_error = $2, last_error_at = clock()
		where id = $1`, connectionID, why)
	if err != nil {
		return fmt.Errorf("count a failed line of connection %s: %w", connectionID, err)
	}
	return nil
}

// ClearLineFailures sets the count of a connection's failed lines in a row to zero: a line
// works, or a person wants to try again.
func ClearLineFailures(ctx context.Context, db postgres.DB, connectionID uuid.UUID) error {
	_, err := db.Exec(ctx, `
		update connection set line_failures = 0
		where id = $1 and line_failures > 0`, connectionID)
	if err != nil {
		return fmt.Errorf("clear the failed lines of connection %s: %w", connectionID, err)
	}
	return nil
}

// CountCallerRefusal counts a call that the carrier refused because of the calling number.
// The dialer pauses the campaigns of the number after too many in a row.
func CountCallerRefusal(ctx context.Context, db postgres.DB, phoneNumberID uuid.UUID, why string) error {
	_, err := db.Exec(ctx, `
		insert into caller_refusal as f (phone_number_id, organization_id, times, reason, last_at)
		select id, organization_id, 1, $2, clock() from phone_number where id = $1
		on conflict (phone_number_id) do update
		set times = f.times + 1, reason = excluded.reason, last_at = excluded.last_at`, phoneNumberID, why)
	if err != nil {
		return fmt.Errorf("count a refusal of phone number %s: %w", phoneNumberID, err)
	}
	return nil
}

// ClearCallerRefusals ends the rows of refusals of calling numbers: a call was accepted, or a
// person wants to try again.
func ClearCallerRefusals(ctx context.Context, db postgres.DB, phoneNumberIDs ...uuid.UUID) error {
	_, err := db.Exec(ctx, `delete from caller_refusal where phone_number_id = any($1)`, phoneNumberIDs)
	if err != nil {
		return fmt.Errorf("clear the refusals of %d phone numbers: %w", len(phoneNumberIDs), err)
	}
	return nil
}

// ClearFailures sets the count of a connection's failures in a row to zero: a request
// succeeded, or a person wants to try again.
func ClearFailures(ctx context.Context, db postgres.DB, connectionID uuid.UUID) error {
	_, err := db.Exec(ctx, `
		update connection set consecutive_errors = 0
		where id = $1 and consecutive_errors > 0`, connectionID)
	if err != nil {
		return fmt.Errorf("clear the failures of connection %s: %w", connectionID, err)
	}
	return nil
}
