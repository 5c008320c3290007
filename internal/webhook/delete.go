package webhook

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Delete removes a webhook and its deliveries for everybody at once. Nothing more is
// delivered to it. Errors: NotFound.
func (s *Service) Delete(ctx context.Context, actor account.Actor, id uuid.UUID) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		w, err := lock(ctx, tx, actor.OrganizationID, id)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(
			ctx, `update webhook set deleted_at = clock() where id = @id`, pgx.NamedArgs{"id": id},
		); err != nil {
			return fmt.Errorf("delete webhook %s: %w", id, err)
		}
		return account.Record(ctx, tx, actor, "webhook.deleted", account.Object{Type: "webhook", ID: id},
			map[string]any{"name": w.Name, "host": HostOf(w.URL)})
	})
}
