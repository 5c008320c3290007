package campaign

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

// ownCalls are calls of their own with these ring times, which are settings of a standing campaign each.
func (b *world) ownCalls(rings ...int) *CallDrafts {
	ds := &CallDrafts{Batch: true}
	for i, ring := range rings {
		ds.Calls = append(ds.Calls, &CallDraft{
			To: testNumber(i), ProjectID: b.project.String(), AgentID: b.agent.String(),
			PhoneNumberID: b.number.String(), ScheduledAt: ptr(time.Now().Add(240 * time.Hour)),
			RingTimeoutSeconds: &ring,
		})
	}
	return ds
}

// Batches, changes and cancellations of the same calls at the same time: none is the victim of a deadlock, and every
// call is counted once where it is.
func TestCallsAreScheduledChangedAndCanceledAtOnce(t *testing.T) {
	t.Parallel()
	b := newWorld(t)
	const settings, rounds = 8, 12
	rings := rand.Perm(settings)
	for i := range rings {
		rings[i] += 20
	}
	var mutex sync.Mutex
	var ids []string
	schedule := func(rings ...int) {
		made, err := b.svc.Call(t.Context(), b.actor, b.ownCalls(rings...))
		if err != nil {
			t.Errorf("schedule: %v", err)
		}
		mutex.Lock()
		defer mutex.Unlock()
		for _, c := range made {
			ids = append(ids, c.ID.String())
		}
	}
	some := func(n int) (chosen []string) {
		mutex.Lock()
		defer mutex.Unlock()
		for range n {
			chosen = append(chosen, ids[rand.IntN(len(ids))])
		}
		return chosen
	}
	for _, ring := range rings { // the order of the standing campaigns is none of their settings
		schedule(ring)
	}
	canceled := map[string]int{}
	var work sync.WaitGroup
	for range 3 {
		work.Go(func() {
			for range rounds {
				schedule(rings...)
			}
		})
		work.Go(func() {
			for range 4 * rounds {
				for _, id := range some(1) {
					ch := CallChange{RingTimeoutSeconds: ptr(rings[rand.IntN(settings)])}
					err := b.svc.UpdateCall(t.Context(), b.actor, uuid.MustParse(id), ch, nil)
					if err != nil && fault.KindOf(err) != fault.Conflict {
						t.Errorf("change: %v", err)
					}
				}
			}
		})
		work.Go(func() {
			for range rounds {
				results, err := b.svc.CancelCalls(t.Context(), b.actor, some(6))
				if err != nil {
					t.Errorf("cancel: %v", err)
				}
				once := map[string]bool{}
				mutex.Lock()
				for _, r := range results {
					if r.Result == CallCanceled && !once[r.ID] {
						once[r.ID] = true
						canceled[r.ID]++
					}
				}
				mutex.Unlock()
				err = b.svc.CancelCall(t.Context(), b.actor, uuid.MustParse(some(1)[0]))
				if err != nil && fault.KindOf(err) != fault.Conflict {
					t.Errorf("cancel one: %v", err)
				}
			}
		})
	}
	work.Wait()
	for id, times := range canceled {
		if times != 1 {
			t.Errorf("call %s was canceled %d times", id, times)
		}
	}
	if wrong := value[int](t, b, `
		select count(*) from campaign c
		where kind = 'call' and total <> (select count(*) from recipient r where r.campaign_id = c.id)`); wrong > 0 {
		t.Errorf("%d standing campaigns count other calls than theirs", wrong)
	}
	if n := value[int](t, b, `select count(*) from recipient`); n != len(ids) {
		t.Errorf("%d calls, want %d", n, len(ids))
	}
	if wrong := value[int](t, b, `
		select count(*) from recipient r
		where (status = 'canceled') <> exists (select from call where id = r.first_call_id)`); wrong > 0 {
		t.Errorf("%d calls are canceled without a row, or the reverse", wrong)
	}
}
