package webhook

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// Deliveries to an inactive webhook are held, and sent when it is active again.
func TestInactiveWebhooksAreOwedTheirDeliveries(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	w := h.at(rc.URL, "*")
	h.emit(h.actor, maxHold+50)
	if _, err := h.Pause(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	h.engine()
	err := postgres.InTx(t.Context(), h.db.Pool, func(tx pgx.Tx) error {
		// The webhook is being changed. Deliveries to other webhooks do not wait for
		// that.
		if _, err := lock(t.Context(), tx, h.actor.OrganizationID, w.ID); err != nil {
			return err
		}
		h.actor = h.organization("UTC")
		other := newReceiver(t, nil)
		h.at(other.URL, "*")
		h.emit(h.actor, 1)
		h.await("another webhook's", func() bool { return len(other.requests()) == 1 })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	h.actor.OrganizationID = w.OrganizationID
	h.await("all is held", func() bool { return h.count(`delivery_due where state = 'held'`) == maxHold+50 })
	// The first delivery becomes a retry.
	h.exec(
		`update delivery_due set state = 'waiting', due_at = clock() + interval '1 hour' where delivery_id = (select id
			from delivery where webhook_id = $1 limit 1)`,
		w.ID,
	)
	h.skip(2 * time.Hour)
	h.await("the retry is held, too", func() bool { return h.count(`delivery_due where state = 'held'`) == maxHold+50 })
	if n := len(rc.requests()); n != 0 {
		t.Fatalf("%d were sent", n)
	}
	if _, err := h.Resume(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	h.await("all of it", func() bool { return len(rc.ids()) == maxHold+50 })
	h.await("nothing is held any more", func() bool { return h.count(`webhook where is_holding`) == 0 })
}

// Deliveries to a deleted webhook are not sent.
func TestDeletedWebhooksAreOwedNothing(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	w := h.at(rc.URL, "*")
	h.emit(h.actor, 10)
	if err := h.Delete(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	h.engine()
	h.await("the queue is empty", func() bool { return h.count(`delivery_due`) == 0 })
	if n := len(rc.requests()); n != 0 {
		t.Errorf("%d were sent", n)
	}
}
