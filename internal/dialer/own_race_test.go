package dialer

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/testwait"
)

// A process dies with claimed calls of a batch of a thousand. Two others place every call once.
func TestABatchWhoseProcessDies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update connection set calls_per_second = null`)
	made := b.request(t, b.own(1, campaign.MaxCalls))
	due, _, now, err := b.dialer.due(t.Context())
	if err != nil || len(due) != 1 {
		t.Fatalf("%d campaigns are due, %v", len(due), err)
	}
	died, err := b.dialer.tryPass(t.Context(), due[0], 100, now) // and places nothing
	if err != nil || len(died.queued) == 0 {
		t.Fatalf("nothing was claimed: %v", err)
	}
	b.exec(t, `update call set lease_until = clock() - interval '1 second'`)

	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	b.race(ctx, t, &work)
	work.Go(func() {
		for ctx.Err() == nil {
			for _, id := range b.network.up() {
				b.tell(t, id, ends(call.OutcomeCompleted)...)
			}
			time.Sleep(time.Millisecond)
		}
	})
	defer work.Wait()
	defer stop()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if _, err := b.calls.Reconcile(t.Context()); err != nil {
			t.Fatal(err)
		}
		// What was not placed is tried again after a while.
		b.exec(t, `update recipient set due_at = clock() where status = 'pending' and due_at > clock()`)
		b.exec(t, `update campaign set dial_at = clock() where ended_at is null and dial_at > clock()`)
		if value[int](t, b, `select count(*) from recipient where status in ('pending', 'dialing')`) == 0 {
			break
		}
		if time.Since(began) > 2*testwait.Limit || t.Failed() {
			t.Fatal("calls are not placed")
		}
	}
	stop()
	work.Wait()
	for _, c := range made {
		if n := b.network.dials(c.PersonNumber); n != 1 {
			t.Errorf("%d calls to a person", n)
		}
	}
	for _, c := range died.queued {
		lost := b.call(t, c.ID)
		if lost.EndedReason != call.ReasonNotPlaced || lost.NextCallID == nil {
			t.Fatalf("a call of the process that died: %+v", lost)
		}
		if next := b.call(t, *lost.NextCallID); next.Outcome != call.OutcomeCompleted || *next.FirstCallID != c.ID {
			t.Errorf("the call after it: %+v", next)
		}
	}
}

// Calls are hung up while they end. Each ends once, and the answer says whether it had ended.
func TestHangUpBesideTheEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.exec(t, `update connection set calls_per_second = null`)
	b.subscribe(t, "call.completed")
	const calls = 30
	b.request(t, b.own(1, calls))
	for len(b.network.up()) < calls {
		b.dial(t)
	}
	var sides sync.WaitGroup
	for _, id := range b.network.up() {
		sides.Go(func() { b.tell(t, id, ends(call.OutcomeCompleted)...) })
		for range 2 {
			sides.Go(func() { b.hangUp(t, id) })
		}
	}
	sides.Wait()
	b.settle(t)
	if n := value[int](t, b, `select count(*) from call where settled_at is not null`); n != calls {
		t.Errorf("%d calls are settled", n)
	}
	if n := value[int](t, b, `select count(distinct subject_id) from event`); n != calls {
		t.Errorf("%d calls have events", n)
	}
	if n := value[int](t, b, `select count(*) from event`); n != calls {
		t.Errorf("%d events", n)
	}
	for _, c := range b.ended(t) {
		if c.EndedReason != call.ReasonHungUp && c.EndedReason != call.ReasonEndedByUser {
			t.Errorf("ended by %s", c.EndedReason)
		}
	}
}

func (b *bench) hangUp(t testing.TB, id uuid.UUID) {
	t.Helper()
	if err := b.calls.End(context.Background(), b.actor, id); err != nil && fault.KindOf(err) != fault.Conflict {
		t.Error(err)
	}
}

func (b *bench) ended(t testing.TB) []call.Call {
	t.Helper()
	list, err := b.calls.List(t.Context(), b.actor.OrganizationID, call.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Data
}
