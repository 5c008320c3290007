package webhook

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Resend requests one more attempt at a delivery now: outside the schedule, whatever its
// status, and even while the webhook is inactive. The attempt has the same id and body
// and is signed with the current secret. Planned retries continue unless it succeeds.
// Errors: NotFound, and Conflict while another requested attempt waits or is in flight.
func (s *Service) Resend(ctx context.Context, actor account.Actor, webhookID, id uuid.UUID) (d Delivery, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		w, err := read(ctx, tx, actor.OrganizationID, webhookID)
		if err != nil {
			return err
		}
		if d, err = oneDelivery(ctx, tx, actor.OrganizationID, webhookID, id); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			insert into delivery_due (delivery_id, webhook_id, due_at, manual)
			values (@id, @webhook_id, clock(), true)
			on conflict on constraint delivery_due_once do nothing`, pgx.NamedArgs{"id": id, "webhook_id": webhookID})
		if err != nil {
			return fmt.Errorf("queue delivery %s again: %w", id, err)
		}
		if tag.RowsAffected() == 0 {
			return fault.Conflictf("Delivery is being resent already")
		}
		if d, err = oneDelivery(ctx, tx, actor.OrganizationID, webhookID, id); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "delivery.resent", account.Object{Type: "delivery", ID: id},
			map[string]any{"webhook": w.Name, "webhook_id": webhookID, "event_type": d.EventType})
	})
	if err != nil {
		return Delivery{}, err
	}
	s.wake()
	return d, nil
}
