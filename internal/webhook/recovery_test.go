package webhook

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/dialwright/dialwright/internal/postgres"
)

// A recovery retries failed deliveries from the start of the schedule and sends missed
// events, and nothing else. It works in several batches and survives an interruption.
func TestRecovery(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	w := h.at(rc.URL, "call.completed")
	h.exec(`update webhook set created_at = clock() - interval '20 days' where id = $1`, w.ID)
	all := h.at(rc.URL+"/other", "*") // a subscriber to every event, so that every event is written
	h.exec(`update webhook set is_active = false, inactive_since = clock() where id = $1`, all.ID)

	const failed, missed, done = maxRecoverBatch + 10, maxRecoverBatch/2 + 3, 5
	h.emit(h.actor, failed+done)
	h.exec(`delete from delivery_due`)
	h.exec(
		`update delivery set status = case when id in (select id from delivery
			order by id limit $1) then 'succeeded' else 'failed' end, next_attempt_at = null, attempts = 10`,
		done,
	)
	before := h.at(rc.URL, "*") // not affected by the recovery
	h.exec(`update webhook set is_active = false, inactive_since = clock() where id = any($1)`, []uuid.UUID{
		w.ID, before.ID,
	})
	h.emit(h.actor, missed)
	h.exec(`
		insert into event (id, organization_id, type, subject_id, payload, created_at)
		select gen_random_uuid(), $1, t, gen_random_uuid(), '{}', clock() - age
		from (values ('call.started', interval '0'), ('webhook.test', interval '0'), ('call.completed',
			interval '19 days'), ('call.completed', interval '21 days')) e(t, age)`,
		h.actor.OrganizationID)
	h.exec(`update webhook set is_active = true, inactive_since = null where id = $1`, w.ID)
	if _, err := h.Recover(
		t.Context(), h.actor, w.ID, scan[time.Time](h, `select clock() - interval '25 days'`),
	); err != nil {
		t.Fatal(err)
	}

	// Run one batch without an engine. The engine then finishes the recovery, as after a
	// crash.
	s := &run{pool: h.db.Pool}
	var queued bool
	if r, err := s.recoverBatch(t.Context(), uuid.Nil, &queued); err != nil || r == nil || r.Early || !queued {
		t.Fatalf("%+v, %v", r, err)
	}
	err := postgres.InTx(t.Context(), h.db.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `select from webhook_recovery for no key update`); err != nil {
			return err
		}
		if r, err := s.recoverBatch(t.Context(), uuid.Nil, &queued); err != nil || r != nil {
			t.Errorf("two are at it: %+v, %v", r, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	h.engine()
	h.await("the recovery", func() bool {
		return h.count(`webhook_recovery where finished_at is not null and at = until`) == 1
	})
	h.await("the deliveries", func() bool {
		return h.count(`delivery where webhook_id = $1 and status = 'succeeded'`, w.ID) == failed+missed+done+1
	})
	r, err := h.LatestRecovery(t.Context(), h.actor.OrganizationID, w.ID)
	if err != nil || r.Retried != failed || r.Added != missed+1 {
		t.Errorf("%+v, %v", r, err)
	}
	if got := len(rc.ids()); got != failed+missed+1 || len(rc.requests()) != got {
		t.Errorf("%d events in %d requests", got, len(rc.requests()))
	}
	if n := h.count(`delivery where webhook_id = $1 and attempts not in (1, 10, 11)`, w.ID); n != 0 {
		t.Errorf("%d have odd attempts", n)
	}
	if n := h.count(`delivery where webhook_id <> $1`, w.ID); n != 0 {
		t.Errorf("%d deliveries to others", n)
	}
}

// An event whose transaction saw the webhook as inactive may be committed after the
// recovery was requested. The recovery waits for the transaction.
func TestRecoveryWaitsForOpenTransactions(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	w := h.at(rc.URL, "*")
	if _, err := h.Pause(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	since := scan[time.Time](h, `select clock()`)
	err := postgres.InTx(t.Context(), h.db.Pool, func(tx pgx.Tx) error {
		out, err := Open(t.Context(), tx, h.actor.OrganizationID)
		if err != nil {
			return err
		}
		if _, err := h.Resume(t.Context(), h.actor, w.ID); err != nil {
			return err
		}
		if _, err := h.Recover(t.Context(), h.actor, w.ID, since); err != nil {
			return err
		}
		var queued bool
		r, err := (&run{pool: h.db.Pool}).recoverBatch(t.Context(), uuid.Nil, &queued)
		if err != nil || r == nil || !r.Early {
			t.Errorf("it did not wait: %+v, %v", r, err)
		}
		if err := out.Add(Event{
			OrganizationID: h.actor.OrganizationID, Type: CallStarted, SubjectID: uuid.New(),
		}); err != nil {
			return err
		}
		return out.Write(t.Context(), tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	h.engine()
	h.await("the event", func() bool { return len(rc.requests()) == 1 })
}

// A recovery that keeps failing does not block other recoveries.
func TestARecoveryThatFailsHoldsUpNobody(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	bad, good := h.webhook("*"), h.webhook("*")
	for _, w := range []Webhook{bad, good} {
		if _, err := h.Recover(t.Context(), h.actor, w.ID, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	h.exec(`alter table webhook_recovery add constraint stuck check (finished_at is null or webhook_id <> '` +
		bad.ID.String() + `')`)
	h.engine()
	h.await("the other's recovery", func() bool {
		return h.count(`webhook_recovery where webhook_id = $1 and finished_at is not null`, good.ID) == 1
	})
	if n := h.count(`webhook_recovery where finished_at is null`); n != 1 {
		t.Errorf("%d are not finished", n)
	}
}
