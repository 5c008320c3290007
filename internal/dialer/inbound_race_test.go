package dialer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/testwait"
)

// talks ends a call of somebody as its line does, with a reason of the agent, or because the caller hangs up.
func (b *bench) talks(t testing.TB, id uuid.UUID, reason call.Reason) {
	t.Helper()
	b.exec(t, `update call set carrier_call_id = $2 where id = $1`, id, "CA"+id.String())
	b.tell(t, id, carrier.Event{Kind: carrier.Answered})
	if reason == call.ReasonOptedOut {
		b.exec(t, `
			insert into do_not_call (id, organization_id, phone_number, source, call_id)
			select gen_random_uuid(), organization_id, person_number, 'call', id from call where id = $1
			on conflict do nothing`, id)
	}
	if reason != call.ReasonHungUp {
		b.exec(t, `update call set ended_reason = $2, ended_by = 'agent' where id = $1`, id, reason)
	}
	b.tell(t, id, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
}

// Recipients call us while two processes dial and settle, and their retries are due at the same moment. Nobody is
// dialed who talks with us, who has answered everything, or who has opted out, and every recipient ends once.
func TestRecipientsCallBesideTheDialer(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.takesCalls(t)
			b.subscribe(t, "*")
			const people, attempts = 24, 8
			d := fast(b.draft(people))
			d.MaxConcurrency = ptr(8)
			d.Retry = &campaign.RetryInput{MaxAttempts: ptr(attempts), DelaysMinutes: []int{0}}
			id := b.create(t, d).ID

			ctx, stop := context.WithCancel(context.Background())
			var work, callers sync.WaitGroup
			b.race(ctx, t, &work)
			work.Go(func() { // nobody picks up
				rnd := rand.New(rand.NewPCG(seed, 1))
				for ctx.Err() == nil {
					if up := b.network.up(); len(up) > 0 {
						b.tell(t, up[rnd.IntN(len(up))], ends(call.OutcomeNoAnswer)...)
					}
					time.Sleep(time.Duration(rnd.IntN(4)) * time.Millisecond)
				}
			})
			defer work.Wait()
			defer stop()
			type talk struct {
				call        uuid.UUID
				end         call.Reason
				since, till time.Time // while the person was certainly talking with us
			}
			talks := make([]talk, people)
			reasons := []call.Reason{call.ReasonCompleted, call.ReasonOptedOut, call.ReasonHungUp}
			for i := range people {
				callers.Go(func() {
					rnd := rand.New(rand.NewPCG(seed, uint64(i)))
					b.until(t, "a person is called", func() bool { return b.network.dials(testNumber(i)) > 0 })
					time.Sleep(time.Duration(rnd.IntN(40)) * time.Millisecond)
					k := &talks[i]
					k.call, k.end = b.callsUs(t, i), reasons[rnd.IntN(len(reasons))]
					k.since = value[time.Time](t, b, `select clock()`)
					time.Sleep(time.Duration(rnd.IntN(60)) * time.Millisecond)
					k.till = value[time.Time](t, b, `select clock()`)
					b.talks(t, k.call, k.end)
				})
			}
			callers.Wait()
			for began := time.Now(); b.checkCounters(t, id).Status != campaign.Completed; {
				if time.Since(began) > testwait.Limit || t.Failed() {
					t.Fatal("the campaign does not end")
				}
				time.Sleep(10 * time.Millisecond)
			}
			stop()
			work.Wait()
			b.settle(t)

			recipients := b.recipients(t, id)
			for i, k := range talks {
				number := testNumber(i)
				r := recipients[number]
				if n := b.network.dials(number); n > attempts || n != r.Attempts {
					t.Errorf("%d calls in %d attempts", n, r.Attempts)
				}
				if n := value[int](t, b, `
					select count(*) from call
					where person_number = $1 and direction = 'outbound' and asked_at > $2 and asked_at < $3`, number,
					k.since, k.till); n > 0 {
					t.Errorf("%d calls to a person who talks with us", n)
				}
				// A call that rang meanwhile may end a recipient without further attempts.
				resumed := value[bool](t, b, `select resumes_recipient_id is not null from call where id = $1`, k.call)
				switch after := value[int](t, b, `
					select count(*) from call o
					where o.person_number = $1 and o.direction = 'outbound' and o.asked_at > $2`, number, k.till); {
				case k.end == call.ReasonHungUp:
				case after > 0 && (k.end == call.ReasonOptedOut || resumed):
					t.Errorf("%d calls after the end of the talk", after)
				case k.end == call.ReasonCompleted && resumed && r.Status != campaign.RecipientCompleted:
					t.Errorf("the recipient is %s, though they answered", r.Status)
				case k.end == call.ReasonOptedOut && r.Status == campaign.RecipientPending:
					t.Errorf("the recipient is %s, though they opted out", r.Status)
				}
			}
			if n := value[int](t, b, `select count(*) from call where direction = 'inbound'`); n != people {
				t.Errorf("%d inbound calls", n)
			}
			b.checkEvents(t)
		})
	}
}

// A claim and a caller meet at the same moment, again and again: either the call is placed before the person calls, or
// it is not placed.
func TestAClaimMeetsACaller(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	const people = 20
	d := fast(b.draft(people))
	d.MaxConcurrency = ptr(people)
	b.create(t, d)
	var sides sync.WaitGroup
	received := make([]time.Time, people)
	sides.Go(func() { b.dial(t) })
	for i := range people {
		sides.Go(func() {
			b.callsUs(t, i)
			received[i] = value[time.Time](t, b, `select clock()`)
		})
	}
	sides.Wait()
	for range 3 {
		b.exec(t, `update recipient set due_at = clock() where status = 'pending'`)
		b.exec(t, `update campaign set dial_at = clock() where ended_at is null`)
		b.dial(t)
		b.settle(t)
	}
	for i, at := range received {
		if n := value[int](t, b, `
			select count(*) from call where person_number = $1 and direction = 'outbound' and asked_at > $2`,
			testNumber(i), at); n > 0 {
			t.Errorf("%d calls to person %d, who talks with us", n, i)
		}
		if n := b.network.dials(testNumber(i)); n > 1 {
			t.Errorf("person %d was dialed %d times", i, n)
		}
	}
}

// Two calls of one recipient that both answer what was open complete the recipient once.
func TestARecipientCallsTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	b.subscribe(t, "recipient.completed")
	d := b.draft(1)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{60}}
	c := b.create(t, d)
	b.dialAll(t, c.ID, 1)
	b.endAll(t, call.OutcomeNoAnswer)
	b.settle(t)
	first, second := b.callsUs(t, 0), b.callsUs(t, 0)
	b.talks(t, first, call.ReasonCompleted)
	b.talks(t, second, call.ReasonCompleted)
	_, _, other := b.process(b.pool(t))
	var work sync.WaitGroup
	for _, settler := range []*Settler{b.settler, other} {
		work.Go(func() {
			if _, err := settler.batch(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	b.settle(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed || got.Completed != 1 {
		t.Errorf("%+v", got)
	}
	if events := b.events(t); len(events) != 1 {
		t.Errorf("%d events", len(events))
	}
}

// A caller who hears that nobody can talk, and asks for a callback, gets a follow-up, and nobody else does.
func TestACallbackWhenNobodyCanTalk(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.takesCalls(t)
	b.stop(t, false)
	first, second := b.callsUs(t, 0), b.callsUs(t, 1)
	b.talks(t, first, call.ReasonCallBack)
	b.exec(t, `update call set analysis = '{"intent": "call_back"}' where id = $1`, first)
	b.talks(t, second, call.ReasonNoCapacity)
	b.settle(t)
	b.settle(t)
	b.wantFollowUps(t, "0 "+string(conversation.CallBack)+": Asked to be called back. The call belongs to no campaign")
}
