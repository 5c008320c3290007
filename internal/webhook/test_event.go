package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/postgres"
)

// Test sends an event to one webhook, whatever it subscribes to and even while it is
// inactive: one attempt, no retries. A webhook.test contains the webhook, any other type
// the example of its type. The delivery shows the result. Errors: NotFound, Invalid.
func (s *Service) Test(ctx context.Context, actor account.Actor, webhookID uuid.UUID, t Type) (d Delivery, err error) {
	if !slices.Contains(Types(), t) {
		return Delivery{}, fault.Invalidf("event_type", "must be one of %s", names(Types()))
	}
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		w, err := read(ctx, tx, actor.OrganizationID, webhookID)
		if err != nil {
			return err
		}
		var now time.Time
		if err := tx.QueryRow(ctx, `select clock()`).Scan(&now); err != nil {
			return fmt.Errorf("read the clock: %w", err)
		}
		eventID, deliveryID := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7())
		e, err := s.testEvent(w, t)
		if err != nil {
			return err
		}
		payload, err := Payload(eventID, now, e)
		if err != nil {
			return err
		}
		args := pgx.NamedArgs{
			"event_id": eventID, "delivery_id": deliveryID, "organization_id": actor.OrganizationID,
			"webhook_id": webhookID,
			"type":       t, "payload": string(payload), "now": now,
		}
		// A manual attempt has no schedule.
		batch := &pgx.Batch{}
		batch.Queue(`
			insert into event (id, organization_id, type, subject_id, payload, created_at, is_test)
			values (@event_id, @organization_id, @type, @webhook_id, @payload, @now, true)`, args)
		batch.Queue(`
			insert into delivery (id, organization_id, webhook_id, event_id, event_type, created_at)
			values (@delivery_id, @organization_id, @webhook_id, @event_id, @type, @now)`, args)
		batch.Queue(`
			insert into delivery_due (delivery_id, webhook_id, due_at, manual)
			values (@delivery_id, @webhook_id, @now, true)`, args)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("write a test event: %w", err)
		}
		if d, err = oneDelivery(ctx, tx, actor.OrganizationID, webhookID, deliveryID); err != nil {
			return err
		}
		return account.Record(ctx, tx, actor, "webhook.tested", account.Object{
			Type: "webhook", ID: webhookID,
		}, map[string]any{"name": w.Name, "event_type": t})
	})
	if err != nil {
		return Delivery{}, err
	}
	s.wake()
	return d, nil
}

// testEvent returns the test event of a type. An example names the example's project.
func (s *Service) testEvent(w Webhook, t Type) (Event, error) {
	e := Event{OrganizationID: w.OrganizationID, Type: t, SubjectID: w.ID}
	if t == WebhookTest {
		e.Data = w.Resource()
		return e, nil
	}
	payload, ok := s.examples[string(t)]
	if !ok {
		return Event{}, fmt.Errorf("there is no example of %s", t)
	}
	var example struct {
		ProjectID *uuid.UUID      `json:"project_id"`
		Data      json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(payload, &example); err != nil {
		return Event{}, fmt.Errorf("read the example of %s: %w", t, err)
	}
	e.About.ProjectID, e.Data = example.ProjectID, example.Data
	return e, nil
}
