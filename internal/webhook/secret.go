package webhook

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/seal"
)

// Sealed are the columns that this package seals. A rotation moves a secret from the
// first column to the second, so resealing must visit them in this order.
var Sealed = []seal.Column{
	{Table: "webhook", Column: "secret", Key: []string{"id"}, Organization: "organization_id", Row: "id::text"},
	{
		Table: "webhook", Column: "previous_secret", Key: []string{"id"}, Organization: "organization_id",
		Row: "id::text",
	},
	{Table: "webhook", Column: "headers", Key: []string{"id"}, Organization: "organization_id", Row: "id::text"},
}

// The sealed columns.
const (
	secretColumn   = "secret"
	previousColumn = "previous_secret"
	headersColumn  = "headers"
)

// secretCell names the cell that a secret of a webhook is sealed for.
func secretCell(organizationID, id uuid.UUID, column string) seal.Cell {
	return seal.Cell{Organization: organizationID, Table: "webhook", Column: column, Row: id.String()}
}

// openSecrets decrypts the secrets that sign a delivery: the current one and, during a
// rotation's overlap, the previous one; previous is nil otherwise. Never show or log a
// secret.
func openSecrets(vault *seal.Vault, organizationID, id uuid.UUID, current, previous []byte) ([][]byte, error) {
	secret, err := vault.Open(current, secretCell(organizationID, id, secretColumn))
	if err != nil {
		return nil, fmt.Errorf("open the secret of webhook %s: %w", id, err)
	}
	if previous == nil {
		return [][]byte{secret}, nil
	}
	before, err := vault.Open(previous, secretCell(organizationID, id, previousColumn))
	if err != nil {
		return nil, fmt.Errorf("open the previous secret of webhook %s: %w", id, err)
	}
	return [][]byte{secret, before}, nil
}

// SecretSize is the length of a webhook's secret in bytes.
const SecretSize = 32

// secretPrefix starts the text form of a secret. The rest is the base64 of the secret's
// bytes (Standard Webhooks 1.0.0).
const secretPrefix = "whsec_"

// NewSecret makes the bytes of a secret.
func NewSecret() []byte {
	secret := make([]byte, SecretSize)
	rand.Read(secret)
	return secret
}

// ShowSecret returns the text form of a secret, as its owner sees it.
func ShowSecret(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// Bounds of a rotation's overlap, in which the previous secret signs too.
const (
	DefaultOverlap = 24 * time.Hour
	MaxOverlap     = 7 * 24 * time.Hour
)

// RotateSecret gives a webhook a new secret and returns it, the only time it is shown.
// During the overlap every delivery also carries a signature by the previous secret. A
// zero overlap invalidates the previous secret at once. Any overlap of an earlier
// rotation ends. Errors: NotFound, Invalid.
func (s *Service) RotateSecret(
	ctx context.Context, actor account.Actor, id uuid.UUID, overlap time.Duration,
) (w Webhook, secret string, err error) {
	return s.rotate(ctx, actor, id, overlap, "")
}

// RotateSecretOf rotates only the secret of a SecretMark, so a form that is sent twice
// makes one new secret. Errors: as RotateSecret, and Conflict if the webhook has another
// secret by now.
func (s *Service) RotateSecretOf(
	ctx context.Context, actor account.Actor, id uuid.UUID, overlap time.Duration, mark string,
) (Webhook, string, error) {
	if mark == "" {
		return Webhook{}, "", fault.Invalidf("mark", "required")
	}
	return s.rotate(ctx, actor, id, overlap, mark)
}

// rotate replaces the secret of a mark; an empty mark means any secret.
func (s *Service) rotate(
	ctx context.Context, actor account.Actor, id uuid.UUID, overlap time.Duration, mark string,
) (w Webhook, secret string, err error) {
	if overlap < 0 || overlap > MaxOverlap {
		return Webhook{}, "", fault.Invalidf("overlap_seconds", "must be between 0 and %d", int(MaxOverlap/time.Second))
	}
	random := NewSecret()
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		before, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if mark != "" && before.SecretMark != mark {
			return fault.Conflictf("The secret of this webhook was rotated already")
		}
		var previous []byte
		if overlap > 0 {
			if previous, err = s.sealPrevious(ctx, tx, actor.OrganizationID, id); err != nil {
				return err
			}
		}
		w, err = one(ctx, tx, `
			update webhook set
				previous_secret = @previous,
				previous_secret_until = case when @previous::bytea is not null then clock() + @overlap::interval end,
				secret = @secret
			where organization_id = @organization_id and id = @id and deleted_at is null
			returning `+columns, pgx.NamedArgs{
			"organization_id": actor.OrganizationID, "id": id, "overlap": overlap, "previous": previous,
			"secret": s.vault.Seal(random, secretCell(actor.OrganizationID, id, secretColumn)),
		})
		if err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "webhook.secret_rotated", account.Object{Type: "webhook", ID: id},
			map[string]any{"name": w.Name, "previous_secret_until": w.PreviousSecretUntil})
	})
	if err != nil {
		return Webhook{}, "", err
	}
	return w, ShowSecret(random), nil
}

// sealPrevious seals the current secret of a webhook as the previous one. An unreadable
// secret signs nothing and has no overlap: the result is nil.
func (s *Service) sealPrevious(ctx context.Context, tx pgx.Tx, organizationID, id uuid.UUID) ([]byte, error) {
	var sealed []byte
	err := tx.QueryRow(ctx, `select secret from webhook where organization_id = @organization_id and id = @id`,
		pgx.NamedArgs{"organization_id": organizationID, "id": id}).Scan(&sealed)
	if err != nil {
		return nil, fmt.Errorf("read the secret of webhook %s: %w", id, err)
	}
	secret, err := s.vault.Open(sealed, secretCell(organizationID, id, secretColumn))
	if errors.Is(err, seal.ErrSealed) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the secret of webhook %s: %w", id, err)
	}
	return s.vault.Seal(secret, secretCell(organizationID, id, previousColumn)), nil
}
