package webhook

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
)

// fill gives a board n rows for an endpoint.
func fill(b *board, id uuid.UUID, n int) {
	rows := make([]row, n)
	for i := range rows {
		rows[i] = row{webhookID: id, taken: time.Now()}
	}
	b.roomFor(&target{webhookID: id}, n)
	b.put(taking{webhooks: []uuid.UUID{id}, rooms: []int32{int32(n)}}, rows)
}

// However many endpoints hang, the others find a place.
func TestEndpointsThatHangTakeNoPlaceFromOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flying []*flight
		b := newBoard(func(f *flight) { flying = append(flying, f) })
		for range 1000 { // that all hang, found out one by one
			fill(b, uuid.New(), firstWindow)
			time.Sleep(agingEvery)
			b.age()
		}
		if b.slow != mostSlow || b.quick != mostQuick || len(flying) != mostSlow+mostQuick {
			t.Fatalf("%d slow, %d quick, %d flying", b.slow, b.quick, len(flying))
		}
		// They time out. From now on none of them takes a quick place.
		time.Sleep(sendTimeout) // what was not begun is too old
		hung := map[uuid.UUID]bool{}
		for _, f := range flying {
			b.land(f, &attempt{outcome: OutcomeTimeout, duration: sendTimeout})
			hung[f.row.webhookID] = true
		}
		flying = nil
		for id := range hung {
			fill(b, id, leastWindow)
		}
		if len(flying) != 2*len(hung) || len(hung) < mostQuick/2+1 {
			t.Fatalf("%d flying to %d endpoints", len(flying), len(hung))
		}
		healthy := uuid.New()
		fill(b, healthy, 1)
		if n := len(flying); n == 0 || flying[n-1].row.webhookID != healthy {
			t.Errorf("of %d the healthy one is not among them; %d quick places taken", n, b.quick)
		}
	})
}

// What a fast endpoint gets at a time grows, and shrinks when it stops to
// answer; what was taken ahead for it is given back.
func TestLaneFollowsItsEndpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flying []*flight
		b := newBoard(func(f *flight) { flying = append(flying, f) })
		id := uuid.New()
		for range 40 {
			fill(b, id, max(b.roomFor(&target{webhookID: id}, mostRows), 0))
			for len(flying) > 0 {
				f := flying[0]
				flying = flying[1:]
				if next := b.land(f, &attempt{outcome: OutcomeSucceeded, status: 200, duration: time.Millisecond}); next != nil {
					flying = append(flying, next)
				}
			}
		}
		l := b.lanes[id]
		if l.window != mostWindow || l.want() != mostPrefetch {
			t.Fatalf("window %d, wants %d", l.window, l.want())
		}
		fill(b, id, mostPrefetch)
		if len(flying) != mostWindow {
			t.Fatalf("%d at a time", len(flying))
		}
		time.Sleep(slowAfter)
		b.age()
		if back := len(b.takeReturns()); back != mostPrefetch-2*mostWindow || l.want() > mostWindow {
			t.Errorf("%d given back, wants %d", back, l.want())
		}
		for range 5 {
			f := flying[0]
			flying = flying[1:]
			b.land(f, &attempt{outcome: OutcomeTimeout, duration: sendTimeout})
		}
		if l.window != leastWindow {
			t.Errorf("window %d", l.window)
		}
		<-closed(b, flying)
		if b.rows != 0 || b.quick != 0 || b.slow != 0 {
			t.Errorf("%d rows, %d quick, %d slow are left", b.rows, b.quick, b.slow)
		}
	})
}

// An endpoint that answers fast gets no room for more rows than it was seen to
// have: what many such endpoints were kept room for, others would wait for.
func TestNoRoomIsKeptForWhatIsNotThere(t *testing.T) {
	t.Parallel()
	var flying []*flight
	b := newBoard(func(f *flight) { flying = append(flying, f) })
	id := uuid.New()
	for range 40 {
		b.roomFor(&target{webhookID: id}, mostRows)
		b.put(taking{webhooks: []uuid.UUID{id}, rooms: []int32{mostWindow}}, []row{{webhookID: id, taken: time.Now()}})
		b.land(flying[len(flying)-1], &attempt{outcome: OutcomeSucceeded, status: 200, duration: time.Millisecond})
	}
	if room := b.roomFor(&target{webhookID: id}, mostRows); room != mostWindow {
		t.Errorf("room for %d", room)
	}
}

// closed closes a board while requests are under way, and lands them.
func closed(b *board, flying []*flight) <-chan struct{} {
	landed := b.close()
	for _, f := range flying {
		b.land(f, &attempt{outcome: OutcomeSucceeded, status: 200, duration: time.Millisecond})
	}
	return landed
}

// More endpoints than one walk finds, none of which has room: the claim comes to
// an end, and rests.
func TestClaimRestsWhenNobodyHasRoom(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	s := &shift{pool: h.db.Pool, vault: h.vault, board: newBoard(func(*flight) {}), unsigned: map[uuid.UUID]struct{}{}}
	n := walkMost + 10
	ids, sealed := make([]uuid.UUID, n), make([][]byte, n)
	for i := range ids {
		ids[i] = uuid.New()
		sealed[i] = h.vault.Seal(newSecret(), place(h.actor.OrganizationID, ids[i], secretColumn))
		s.board.roomFor(&target{webhookID: ids[i]}, 0)
		s.board.lanes[ids[i]].flying = firstWindow
	}
	h.exec(`insert into webhook (id, organization_id, name, url, events, secret) select id, $1, 'x', '', '{*}', sealed from unnest($2::uuid[], $3::bytea[]) w(id, sealed)`,
		h.actor.OrganizationID, ids, sealed)
	h.exec(`insert into delivery_due (delivery_id, webhook_id, due_at) select gen_random_uuid(), id, clock() from webhook`)
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
