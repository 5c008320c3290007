package account

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

const (
	// UnusedAfter is how long a key is unused before a person should review it.
	UnusedAfter = 90 * 24 * time.Hour
	// ExpiresSoon is how long before its expiry a key is listed as stale.
	ExpiresSoon = 7 * 24 * time.Hour
)

// StaleKeys returns at most limit keys that a person should review, the most urgent
// first: keys that expire soon, and unused keys.
func (s *Service) StaleKeys(ctx context.Context, organizationID uuid.UUID, limit int) ([]Key, error) {
	keys, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByName[Key], keySelect+`
		where k.organization_id = @organization_id and k.revoked_at is null
		  and (k.expires_at is null or k.expires_at > clock())
		  and (k.expires_at <= clock() + @soon or coalesce(n.last_used_at, k.created_at) <= clock() - @unused::interval)
		order by k.expires_at nulls last, coalesce(n.last_used_at, k.created_at), k.id
		limit @limit`, pgx.NamedArgs{
		"organization_id": organizationID, "soon": ExpiresSoon, "unused": UnusedAfter, "limit": limit,
	})
	if err != nil {
		return nil, fmt.Errorf("find stale keys: %w", err)
	}
	return keys, nil
}
