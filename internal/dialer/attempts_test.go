package dialer

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/messaging"
)

func attempts(most int) campaign.Change {
	return campaign.Change{Retry: &campaign.RetryInput{MaxAttempts: &most, DelaysMinutes: []int{60}}}
}

// Lower attempts end the recipients who have had them, as their last call ended, and nobody calls them again. A
// recipient who asked to be called back is called, and those without a call are called once.
func TestLowerAttemptsEndWhoHasHadThem(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "*")
	b.whatsapp(t)
	d := fast(b.writing(5, campaign.TriggerNoAnswer, "heads_up", `{}`))
	always := hours.Always()
	d.CallingHours, d.MaxConcurrency = &always, ptr(4)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{60}}
	c := b.create(t, d)
	b.dialAll(t, c.ID, 4)
	b.endWith(t, 0, conversation.CallBack, ptr(value[time.Time](t, b, `select clock()`).Add(2*time.Hour)))
	b.tell(t, b.callTo(t, 1), ends(call.OutcomeNoAnswer)...)
	b.tell(t, b.callTo(t, 2), ends(call.OutcomeBusy)...)
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	if got.Pending != 4 || got.Dialing+got.InProgress != 1 {
		t.Fatalf("%+v", got.Counters())
	}
	after := b.update(t, c.ID, attempts(1))
	if after.Failed != 2 || after.Pending != 2 || after.MaxAttempts != 1 {
		t.Errorf("after the change: %+v", after.Counters())
	}
	b.checkCounters(t, c.ID)
	all := b.recipients(t, c.ID)
	for i, want := range []string{"pending completed", "failed no_answer", "failed busy", "dialing -", "pending -"} {
		r := all[testNumber(i)]
		outcome := "-"
		if r.Outcome != nil {
			outcome = *r.Outcome
		}
		if got := fmt.Sprint(r.Status, " ", outcome); got != want {
			t.Errorf("recipient %d is %s, want %s", i, got, want)
		}
	}
	written := b.planned(t, c.ID)
	if len(written) != 2 || written[testNumber(1)].Status != messaging.Queued {
		t.Errorf("%d messages", len(written))
	}
	b.tell(t, b.callTo(t, 3), ends(call.OutcomeNoAnswer)...)
	b.settle(t)
	for range 6 {
		b.Advance(time.Hour)
		b.dial(t)
		b.endAll(t, call.OutcomeNoAnswer)
		b.settle(t)
	}
	for i, want := range []int{2, 1, 1, 1, 1} {
		if n := b.network.dials(testNumber(i)); n != want {
			t.Errorf("recipient %d was called %d times, want %d", i, n, want)
		}
	}
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Completed {
		t.Errorf("the campaign is %s", got.Status)
	}
	b.checkEvents(t)
	if log := b.log(t, c.ID); !slices.ContainsFunc(log, func(e campaign.LogEntry) bool {
		return e.Type == campaign.LogChanged && e.Details.Recipients == 2
	}) {
		t.Errorf("the log does not tell who is not called again: %+v", log)
	}
}

// A change that leaves nobody to call completes the campaign, also a paused one.
func TestLowerAttemptsCompleteACampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.subscribe(t, "*")
	d := fast(b.draft(3))
	always := hours.Always()
	d.CallingHours = &always
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(3), DelaysMinutes: []int{60}}
	c := b.create(t, d)
	b.dial(t)
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	if _, err := b.svc.Pause(t.Context(), b.actor, c.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.update(t, c.ID, attempts(2)); got.Pending != 3 || got.Status != campaign.Paused {
		t.Errorf("with two attempts it is %s: %+v", got.Status, got.Counters())
	}
	if got := b.update(t, c.ID, attempts(1)); got.Failed != 3 || got.Status != campaign.Completed {
		t.Errorf("with one attempt it is %s: %+v", got.Status, got.Counters())
	}
	b.checkCounters(t, c.ID)
	b.checkEvents(t)
}

// The attempts are lowered beside passes and settlements. Afterwards nobody is called who has had them.
func TestLowerAttemptsBesideTheDialer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(60))
	always := hours.Always()
	d.CallingHours, d.MaxConcurrency = &always, ptr(9)
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(4), DelaysMinutes: []int{0}}
	c := b.create(t, d)
	var change sync.WaitGroup
	dials := map[string]int{}
	for i := range 400 {
		if i == 12 {
			change.Go(func() {
				if _, err := b.svc.Update(t.Context(), b.actor, c.ID, attempts(1), nil); err != nil {
					t.Error(err)
				}
			})
		}
		b.dial(t)
		if i == 14 {
			change.Wait()
			for i := range 60 {
				dials[testNumber(i)] = b.network.dials(testNumber(i))
			}
		}
		b.endAll(t, call.OutcomeNoAnswer)
		b.settle(t)
		if b.checkCounters(t, c.ID).Failed == 60 {
			break
		}
		b.Advance(time.Second)
	}
	if got := b.checkCounters(t, c.ID); got.Failed != 60 || got.Status != campaign.Completed {
		t.Errorf("%s: %+v", got.Status, got.Counters())
	}
	for number, before := range dials {
		if n := b.network.dials(number); n != max(before, 1) {
			t.Errorf("%s was called %d times, %d before the change", number, n, before)
		}
	}
}
