package webhook

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

func (h *world) sweep() {
	h.t.Helper()
	if err := NewEngine(EngineOptions{Pool: h.db.Pool}).Sweep(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// age makes all log rows older.
func (h *world) age(days int) {
	h.t.Helper()
	by := time.Duration(days) * 24 * time.Hour
	h.exec(`
		create function older(id uuid, ms bigint) returns uuid language sql as $$
			select (lpad(to_hex(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint - ms), 12,
				'0') || substr(replace(id::text, '-', ''), 13))::uuid
		$$`)
	for _, sql := range []string{
		`update delivery_attempt set delivery_id = older(delivery_id, $1)`,
		`update delivery_due set delivery_id = older(delivery_id, $1)`,
		`update delivery set id = older(id, $1), event_id = older(event_id, $1),
			created_at = created_at - make_interval(secs => $1 / 1000)`,
		`update event set id = older(id, $1), created_at = created_at - make_interval(secs => $1 / 1000)`,
	} {
		h.exec(sql, by.Milliseconds())
	}
}

// Rows of the log are deleted after thirty days, including pending deliveries. An event
// stays while a delivery needs it.
func TestRetention(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	w := h.at(rc.URL, "*")
	stop := h.engine()
	h.emit(h.actor, sweepMost+20)
	h.await("the deliveries", func() bool { return h.count(`delivery where status = 'succeeded'`) == sweepMost+20 })
	stop()
	h.emit(h.actor, 3)
	h.sweep()
	if n := h.count(`delivery`); n != sweepMost+23 || h.count(`event`) != n ||
		h.count(`delivery_attempt`) != sweepMost+20 {
		t.Fatalf("%d deliveries are left at once", n)
	}
	h.age(29)
	h.sweep()
	if n := h.count(`delivery`); n != sweepMost+23 || h.count(`event`) != n {
		t.Fatalf("%d deliveries are left after 29 days", n)
	}
	h.exec(`drop function older`)
	h.age(2)
	h.emit(h.actor, 1)
	recovered := uuid.Must(uuid.NewV7())
	h.exec(`insert into delivery (id, organization_id, webhook_id, event_id, event_type)
		select $1, organization_id, $2, id, type from event order by id limit 1`, recovered, h.webhook("*").ID)
	h.exec(`insert into webhook_day (webhook_id, day) select $1, clock()::date - n from generate_series(1, 40) n`, w.ID)
	h.sweep()
	if n := h.count(`delivery`); n != 2 || h.count(`event`) != 2 || h.count(`delivery_attempt`) != 0 ||
		h.count(`delivery_due`) != 1 {
		t.Errorf("%d deliveries are left after 31 days", n)
	}
	if n := h.count(`webhook_day where day < clock()::date`); n != keepDays {
		t.Errorf("%d days are left", n)
	}
	h.exec(`delete from delivery where id = $1`, recovered)
	h.sweep()
	if n := h.count(`event`); n != 1 {
		t.Errorf("%d events are left", n)
	}
}

// The log of a deleted webhook is deleted, then the webhook. Other webhooks keep their
// logs.
func TestSweepOfDeletedWebhooks(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	rc := newReceiver(t, nil)
	w := h.at(rc.URL, "*")
	h.at(rc.URL, "*")
	stop := h.engine()
	h.emit(h.actor, 30)
	h.await("the deliveries", func() bool { return h.count(`delivery where status = 'succeeded'`) == 60 })
	stop()
	h.emit(h.actor, 5)
	if _, err := h.Recover(t.Context(), h.actor, w.ID, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := h.Delete(t.Context(), h.actor, w.ID); err != nil {
		t.Fatal(err)
	}
	h.sweep()
	for what, want := range map[string]int{
		`webhook`: 1, `delivery`: 35, `delivery_attempt`: 30, `delivery_due`: 5, `event`: 35, `webhook_recovery`: 0,
	} {
		if n := h.count(what); n != want {
			t.Errorf("%d of %s are left, want %d", n, what, want)
		}
	}
}
