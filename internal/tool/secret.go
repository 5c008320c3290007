package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
	"github.com/dialwright/dialwright/internal/webhook"
)

// The sealed columns. A rotation moves a secret from the first column to the second, so resealing
// must visit them in this order.
const (
	secretColumn   = "secret"
	previousColumn = "previous_secret"
	headersColumn  = "headers"
)

// Sealed are the columns that this package seals.
var Sealed = []seal.Column{sealed(secretColumn), sealed(previousColumn), sealed(headersColumn)}

func sealed(column string) seal.Column {
	return seal.Column{
		Table: "tool", Column: column, Key: []string{"id"}, Organization: "organization_id", Row: "id::text",
	}
}

func cell(organizationID, id uuid.UUID, column string) seal.Cell {
	return seal.Cell{Organization: organizationID, Table: "tool", Column: column, Row: id.String()}
}

// overlap is how long the previous secret signs too after a rotation.
const overlap = 24 * time.Hour

// sealHeaders seals headers. No headers are stored as nothing.
func (s *Service) sealHeaders(organizationID, id uuid.UUID, headers map[string]string) []byte {
	if len(headers) == 0 {
		return []byte{}
	}
	text, err := json.Marshal(headers)
	if err != nil {
		panic("tool: headers cannot be encoded: " + err.Error()) // only strings
	}
	return s.vault.Seal(text, cell(organizationID, id, headersColumn))
}

// RotateSecret replaces the secret of a SecretMark and returns the new one, the only time it is
// shown. An empty mark means any secret. For 24 hours each request also carries a signature by the previous
// secret. Errors: NotFound, and Conflict if the secret was rotated meanwhile.
func (s *Service) RotateSecret(
	ctx context.Context, actor account.Actor, id uuid.UUID, mark string,
) (t Tool, secret string, err error) {
	random := webhook.NewSecret()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		before, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if mark != "" && before.SecretMark != mark {
			return fault.Conflictf("The secret of this tool was rotated already")
		}
		var kept []byte
		if err := tx.QueryRow(ctx, `select secret`+active, pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "id": id,
		}).Scan(&kept); err != nil {
			return fmt.Errorf("read the secret of tool %s: %w", id, err)
		}
		var previous []byte
		current, err := s.vault.Open(kept, cell(actor.OrganizationID, id, secretColumn))
		switch {
		case err == nil:
			previous = s.vault.Seal(current, cell(actor.OrganizationID, id, previousColumn))
		case !errors.Is(err, seal.ErrSealed): // an unreadable secret signs nothing and has no overlap
			return fmt.Errorf("open the secret of tool %s: %w", id, err)
		}
		t, err = one(ctx, tx, `
			update tool set secret = @secret, previous_secret = @previous,
				previous_secret_until = case when @previous::bytea is not null then clock() + @overlap::interval end
			where organization_id = @organization_id and id = @id
			returning `+columns, pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "id": id, "previous": previous, "overlap": overlap,
			"secret": s.vault.Seal(random, cell(actor.OrganizationID, id, secretColumn)),
		})
		if err != nil {
			return err
		}
		return record(ctx, tx, actor, t, "tool.secret_rotated", nil)
	})
	if err != nil {
		return Tool{}, "", err
	}
	return t, webhook.ShowSecret(random), nil
}
