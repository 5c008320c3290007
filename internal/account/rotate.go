package account

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// MaxOverlap is the longest time that a key may work beside its successor.
const MaxOverlap = 7 * 24 * time.Hour

// Rotation contains the options of RotateKey.
type Rotation struct {
	ID      uuid.UUID     // ID of the successor; zero: RotateKey makes an ID; an ID rotates only once
	Overlap time.Duration // how long the old key works beside its successor: 0 to MaxOverlap; 0 revokes it now
}

// RotateKey creates a successor of a key with the same name, scopes and networks. If the key
// expires, the successor gets the same lifetime. The old key works during the overlap,
// but not beyond its own expiry, and can be revoked at any time. RotateKey returns the
// successor and its value, which is shown once and not stored.
//
// Errors: NotFound; Invalid for the overlap; Conflict for a key that is revoked, has
// expired, or was already rotated, because a key has only one successor.
func (s *Service) RotateKey(
	ctx context.Context, actor Actor, id uuid.UUID, r Rotation,
) (successor Key, value string, err error) {
	if r.Overlap < 0 || r.Overlap > MaxOverlap {
		return Key{}, "", fault.Invalidf("overlap", "must be between 0 and %d days", int(MaxOverlap.Hours()/24))
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		var n NewKey
		var revoked, expired, replaced bool
		err := tx.QueryRow(ctx, `
			select name, scopes, networks, clock() + (expires_at - created_at),
			       revoked_at is not null, coalesce(expires_at <= clock(), false), replaced_by is not null
			from api_key
			where organization_id = @organization_id and id = @id
			for update`, pgx.NamedArgs{"organization_id": actor.OrganizationID, "id": id},
		).Scan(&n.Name, &n.Scopes, &n.Networks, &n.ExpiresAt, &revoked, &expired, &replaced)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return fault.NotFoundf("API key")
		case err != nil:
			return fmt.Errorf("lock an API key: %w", err)
		case revoked && !replaced:
			return fault.Conflictf("This key is revoked and cannot be rotated")
		case replaced:
			return fault.Conflictf("This key was rotated already")
		case expired:
			return fault.Conflictf("This key has expired and cannot be rotated")
		}
		n.ID = r.ID
		if successor, value, err = s.insertKey(ctx, tx, actor, n); err != nil {
			return err
		}
		change := keyChange(successor)
		change["replaces"] = id
		if err := Record(ctx, tx, actor, "api_key.created", Object{"api_key", successor.ID}, change); err != nil {
			return err
		}
		var revokedBy *uuid.UUID
		if actor.Kind == ByUser {
			revokedBy = &actor.ID
		}
		var ends time.Time
		err = tx.QueryRow(ctx, `
			update api_key
			set replaced_by = @successor, expires_at = least(expires_at, clock() + @overlap::interval),
			    revoked_at = case when @now then clock() end, revoked_by = case when @now then @revoked_by::uuid end
			where id = @id
			returning expires_at`, pgx.NamedArgs{
			"id": id, "successor": successor.ID, "overlap": r.Overlap, "now": r.Overlap == 0, "revoked_by": revokedBy,
		}).Scan(&ends)
		if err != nil {
			return fmt.Errorf("replace an API key: %w", err)
		}
		return Record(ctx, tx, actor, "api_key.rotated", Object{"api_key", id}, map[string]any{
			"name": n.Name, "successor": successor.ID, "overlap_seconds": int(r.Overlap.Seconds()), "ends_at": ends,
		})
	})
	if err != nil {
		return Key{}, "", err
	}
	return successor, value, nil
}
