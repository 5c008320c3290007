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
