package account

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

// errMoving answers a request of an organization on its way to another cell.
var errMoving = &fault.Error{
	Kind:       fault.Unavailable,
	Message:    "The organization is being moved to another database. Try again in a few seconds",
	RetryAfter: 5 * time.Second,
}

// isMoving reports whether something that this database does not know belongs to an organization that leaves it.
func (s *Service) isMoving(ctx context.Context, kind, id string) (moving bool, err error) {
	err = s.pool.QueryRow(ctx, `
		select exists (select from organization_move_trace where kind = $1 and id = $2)`, kind, id).Scan(&moving)
	if err != nil {
		return false, fmt.Errorf("look for an organization on its way: %w", err)
	}
	return moving, nil
}

// KnowsConnection reports whether this database has a connection to a carrier or to the messaging operator. Errors:
// Unavailable while its organization moves to another database.
func (s *Service) KnowsConnection(ctx context.Context, id uuid.UUID) (bool, error) {
	var known bool
	err := s.pool.QueryRow(ctx, `
		select exists (select from connection where id = $1)
			or exists (select from messaging_connection where id = $1)`,
		id).Scan(&known)
	if err != nil {
		return false, fmt.Errorf("look for a connection: %w", err)
	}
	if known {
		return true, nil
	}
	if moving, err := s.isMoving(ctx, "connection", id.String()); err != nil || !moving {
		return false, err
	}
	return false, errMoving
}
