package call

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// calledAt returns one of the numbers that are called in the tests.
func calledAt(i int) string { return fmt.Sprintf("+1312200%04d", i) }

// fate is what a move has made of a call, without the times, which differ by microseconds.
type fate struct {
	Status                     Status
	Started, Rang, Answered    bool
	Ended, Ordered             bool // Ordered: the times are in the order of the states
	CarrierCallID, Attestation string
}

func (w *world) fate(id uuid.UUID) (f fate) {
	w.tb.Helper()
	err := w.db.Pool.QueryRow(w.tb.Context(), `
		select status, started_at is not null, ringing_at is not null, answered_at is not null, ended_at is not null,
			(started_at <= ringing_at) is not false and (ringing_at <= answered_at) is not false,
			coalesce(carrier_call_id, ''), coalesce(stir_attestation, '')
		from call where id = $1`, id).
		Scan(&f.Status, &f.Started, &f.Rang, &f.Answered, &f.Ended, &f.Ordered, &f.CarrierCallID, &f.Attestation)
	if err != nil {
		w.tb.Fatal(err)
	}
	return f
}

// Moves that share a statement make of each call what they make of it alone: in every order, for ended calls, for
// calls of others and of another carrier's call, and for organizations that are told.
func TestSharedNewsEqualNewsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const pairs = 60
	told := w.tenant("Told", "+12025550111")
	w.subscribe(told.OrganizationID, "call.answered")
	queue := func(c Claim, i int) Claimed {
		c.PersonNumber = calledAt(i)
		queued, _ := w.queueAll(c)
		return queued[0]
	}
	var shared, alone []Claimed
	for i := range pairs {
		c := w.claim
		if i%5 == 0 {
			c = told
		}
		shared, alone = append(shared, queue(c, 2*i)), append(alone, queue(c, 2*i+1))
		if i%7 == 0 {
			w.place(shared[i])
			w.place(alone[i])
			w.deliver(shared[i], carrier.Event{Kind: carrier.Ended, Outcome: carrier.Busy})
			w.deliver(alone[i], carrier.Event{Kind: carrier.Ended, Outcome: carrier.Busy})
		}
	}
	w.exec(`update call set carrier_call_id = 'CA1' where carrier_call_id is not null`)
	r := rand.New(rand.NewPCG(7, 1))
	for range 8 {
		var moves, others []move
		for i := range pairs {
			m := move{
				To: []Status{"", Ringing, InProgress}[r.IntN(3)], Accepted: r.IntN(3) > 0,
				ConnectionID:  []uuid.UUID{{}, shared[i].ConnectionID, shared[i].ConnectionID, uuid.New()}[r.IntN(4)],
				CarrierCallID: []string{"", "CA1", "CA1", "CA2"}[r.IntN(4)],
				Attestation:   []carrier.Attestation{"", "A"}[r.IntN(2)],
				At:            time.Now().Add(-time.Second),
			}
			other := m
			m.ID, other.ID = shared[i].ID, alone[i].ID
			moves, others = append(moves, m), append(others, other)
		}
		found := map[int]bool{}
		if err := w.calls.tell(t.Context(), moves, false, func(i int, m moved) { found[i] = m.Found }); err != nil {
			t.Fatal(err)
		}
		for i, m := range others {
			err := w.calls.tell(t.Context(), []move{m}, true, func(_ int, after moved) {
				if found[i] != after.Found {
					t.Errorf("%+v: found %t together, %t alone", m, found[i], after.Found)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(found) != pairs {
			t.Errorf("%d of %d moves were answered", len(found), pairs)
		}
		for i := range pairs {
			together, single := w.fate(shared[i].ID), w.fate(alone[i].ID)
			if together != single {
				t.Errorf("%+v made together %+v, alone %+v", moves[i], together, single)
			}
		}
	}
}

// A call whose row is locked waits alone, and a second move of a call follows the first.
func TestNewsOfALockedCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	locked, free := w.queue(calledAt(1)), w.queue(calledAt(2))
	tx, err := w.db.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	if _, err := tx.Exec(t.Context(), `select from call where id = $1 for no key update`, locked.ID); err != nil {
		t.Fatal(err)
	}
	answered := map[int]moved{}
	err = w.calls.tell(t.Context(), []move{
		{ID: locked.ID, To: Ringing, Accepted: true},
		{ID: free.ID, To: Ringing, Accepted: true},
		{ID: free.ID, To: InProgress, Accepted: true},
	}, false, func(i int, m moved) { answered[i] = m })
	if err != nil || len(answered) != 1 || answered[1].Status != Ringing {
		t.Fatalf("%v, %v: only the first move of the free call is made at once", answered, err)
	}

	var work sync.WaitGroup
	for range 3 * newsHands { // more than there are hands
		work.Go(func() {
			err := w.calls.Deliver(context.Background(), carrier.Event{
				Kind: carrier.Answered, ConnectionID: locked.ConnectionID, CallID: locked.ID, At: time.Now(),
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	w.deliver(free, carrier.Event{Kind: carrier.Answered}) // while they wait
	if f := w.fate(free.ID); f.Status != InProgress {
		t.Errorf("the free call is %s", f.Status)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	work.Wait()
	if f := w.fate(locked.ID); f.Status != InProgress {
		t.Errorf("the locked call is %s after it was released", f.Status)
	}
}

// News of many calls that come at once are all made, with their events once each.
func TestNewsOfManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	told := w.tenant("Told", "+12025550111")
	w.subscribe(told.OrganizationID, "call.started", "call.answered")
	var all []Claimed
	for i := range 60 {
		c := w.claim
		if i%2 == 0 {
			c = told
		}
		c.PersonNumber = calledAt(i)
		queued, _ := w.queueAll(c)
		all = append(all, queued...)
	}
	var work sync.WaitGroup
	for _, c := range all {
		for _, kind := range []carrier.EventKind{carrier.Accepted, carrier.Ringing, carrier.Answered, carrier.Ringing} {
			work.Go(func() {
				err := w.calls.Deliver(context.Background(), carrier.Event{
					Kind: kind, ConnectionID: c.ConnectionID, CallID: c.ID, CarrierCallID: "CA" + c.ID.String(),
					At: time.Now(),
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	work.Wait()
	for _, c := range all {
		if f := w.fate(c.ID); f.Status != InProgress || !f.Started || !f.Rang || !f.Answered || !f.Ordered {
			t.Errorf("%+v", f)
		}
		want := 0
		if c.OrganizationID == told.OrganizationID {
			want = 2
		}
		if got := w.toldTypes(c.ID); len(got) != want {
			t.Errorf("told %v, want %d events", got, want)
		}
	}
	err := w.calls.Deliver(t.Context(), carrier.Event{Kind: carrier.Ringing, CallID: uuid.New(), At: time.Now()})
	if !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("an unknown call: %v", err)
	}
}
