package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/regulation"
)

// readRules returns the rules on calls by place of an organization.
func readRules(ctx context.Context, db postgres.DB, organizationID uuid.UUID) (*regulation.Book, error) {
	var settings regulation.Settings
	err := db.QueryRow(ctx, `select calling_rules from organization where id = $1`, organizationID).Scan(&settings)
	if err != nil {
		return nil, fmt.Errorf("read the rules on calls of organization %s: %w", organizationID, err)
	}
	return regulation.NewBook(settings), nil
}

// consentRequired reports whether an organization calls only recipients with a consent, and the time of this answer.
func consentRequired(
	ctx context.Context, db postgres.DB, organizationID uuid.UUID,
) (required bool, now time.Time, err error) {
	err = db.QueryRow(ctx, `select consent_required, clock() from organization where id = $1`, organizationID).
		Scan(&required, &now)
	if err != nil {
		err = fmt.Errorf("read whether organization %s requires consent: %w", organizationID, err)
	}
	return required, now, err
}
