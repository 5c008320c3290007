package webhook

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/webhook/sender"
)

// fill gives a dispatcher n rows for an endpoint.
func fill(d *dispatcher, id uuid.UUID, n int) {
	rows := make([]row, n)
	for i := range rows {
		rows[i] = row{webhookID: id, taken: time.Now()}
	}
	d.capacityFor(&target{webhookID: id}, n)
	d.enqueue(takeRequest{webhooks: []uuid.UUID{id}, limits: []int32{int32(n)}}, rows)
}

// Requests to healthy endpoints find a slot, however many endpoints hang.
func TestEndpointsThatHangTakeNoPlaceFromOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var started []*slot
		d := newDispatcher(func(f *slot) { started = append(started, f) })
		for range 1000 { // all of them hang, each detected in turn
			fill(d, uuid.New(), firstWindow)
			time.Sleep(moveSlowEvery)
			d.moveSlow()
		}
		if d.slowSlots != maxSlowSlots || d.quickSlots != maxQuickSlots || len(started) != maxSlowSlots+maxQuickSlots {
			t.Fatalf("%d slow, %d quick, %d started", d.slowSlots, d.quickSlots, len(started))
		}
		// The requests time out. From now on these endpoints take no quick slot.
		time.Sleep(sender.Timeout) // rows that were not started are too old now
		hung := map[uuid.UUID]bool{}
		for _, f := range started {
			d.finish(f, &sender.Attempt{Outcome: sender.OutcomeTimeout, Duration: sender.Timeout})
			hung[f.row.webhookID] = true
		}
		started = nil
		for id := range hung {
			fill(d, id, minWindow)
		}
		if len(started) != 2*len(hung) || len(hung) < maxQuickSlots/2+1 {
			t.Fatalf("%d started to %d endpoints", len(started), len(hung))
		}
		healthy := uuid.New()
		fill(d, healthy, 1)
		if n := len(started); n == 0 || started[n-1].row.webhookID != healthy {
			t.Errorf("of %d the healthy one is not among them; %d quick places taken", n, d.quickSlots)
		}
	})
}

// The window and prefetch of a fast endpoint grow. They shrink when it stops answering,
// and the rows taken ahead for it are given back.
func TestLaneFollowsItsEndpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var started []*slot
		d := newDispatcher(func(f *slot) { started = append(started, f) })
		id := uuid.New()
		for range 40 {
			fill(d, id, max(d.capacityFor(&target{webhookID: id}, maxTaken), 0))
			for len(started) > 0 {
				f := started[0]
				started = started[1:]
				if next := d.finish(f, &sender.Attempt{
					Outcome: sender.OutcomeSucceeded, Status: 200, Duration: time.Millisecond,
				}); next != nil {
					started = append(started, next)
				}
			}
		}
		l := d.endpoints[id]
		if l.window != maxWindow || l.want() != maxPrefetch {
			t.Fatalf("window %d, wants %d", l.window, l.want())
		}
		fill(d, id, maxPrefetch)
		if len(started) != maxWindow {
			t.Fatalf("%d at a time", len(started))
		}
		time.Sleep(slowAfter)
		d.moveSlow()
		if back := len(d.takeReturns()); back != maxPrefetch-2*maxWindow || l.want() > maxWindow {
			t.Errorf("%d given back, wants %d", back, l.want())
		}
		for range 5 {
			f := started[0]
			started = started[1:]
			d.finish(f, &sender.Attempt{Outcome: sender.OutcomeTimeout, Duration: sender.Timeout})
		}
		if l.window != minWindow {
			t.Errorf("window %d", l.window)
		}
		<-closed(d, started)
		if d.taken != 0 || d.quickSlots != 0 || d.slowSlots != 0 {
			t.Errorf("%d rows, %d quick, %d slow are left", d.taken, d.quickSlots, d.slowSlots)
		}
	})
}

// A fast endpoint gets no capacity for more rows than its claims found, because reserved
// capacity would keep other endpoints waiting.
func TestNoRoomIsKeptForWhatIsNotThere(t *testing.T) {
	t.Parallel()
	var started []*slot
	d := newDispatcher(func(f *slot) { started = append(started, f) })
	id := uuid.New()
	for range 40 {
		d.capacityFor(&target{webhookID: id}, maxTaken)
		d.enqueue(takeRequest{webhooks: []uuid.UUID{id}, limits: []int32{maxWindow}}, []row{
			{webhookID: id, taken: time.Now()},
		})
		d.finish(started[len(started)-1], &sender.Attempt{
			Outcome: sender.OutcomeSucceeded, Status: 200, Duration: time.Millisecond,
		})
	}
	if room := d.capacityFor(&target{webhookID: id}, maxTaken); room != maxWindow {
		t.Errorf("room for %d", room)
	}
}

// closed closes a dispatcher while requests are in flight, and finishes them.
func closed(d *dispatcher, started []*slot) <-chan struct{} {
	drained := d.close()
	for _, f := range started {
		d.finish(f, &sender.Attempt{Outcome: sender.OutcomeSucceeded, Status: 200, Duration: time.Millisecond})
	}
	return drained
}

// There are more webhooks than one walk finds, and none has capacity. Claiming stops
// after a full round.
func TestClaimRestsWhenNobodyHasRoom(t *testing.T) {
	t.Parallel()
	h := newWorld(t)
	s := &run{
		pool: h.db.Pool, vault: h.vault, dispatcher: newDispatcher(func(*slot) {}),
		unsigned: map[uuid.UUID]struct{}{},
	}
	n := maxWalk + 10
	ids, sealed := make([]uuid.UUID, n), make([][]byte, n)
	for i := range ids {
		ids[i] = uuid.New()
		sealed[i] = h.vault.Seal(NewSecret(), secretCell(h.actor.OrganizationID, ids[i], secretColumn))
		s.dispatcher.capacityFor(&target{webhookID: ids[i]}, 0)
		s.dispatcher.endpoints[ids[i]].inFlight = firstWindow
	}
	h.exec(`insert into webhook (id, organization_id, name, url, events, secret) select id, $1, 'x', '', '{*}', sealed
		from unnest($2::uuid[], $3::bytea[]) w(id, sealed)`,
		h.actor.OrganizationID, ids, sealed)
	h.exec(
		`insert into delivery_due (delivery_id, webhook_id, due_at) select gen_random_uuid(), id, clock() from webhook`,
	)
	for claims := range 10 {
		again, err := s.claim(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !again {
			if claims == 0 {
				t.Error("it did not look at all of them")
			}
			return
		}
	}
	t.Error("it goes on for ever")
}
