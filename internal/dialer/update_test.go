package dialer

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/hours"
)

func (b *bench) update(t testing.TB, id uuid.UUID, ch campaign.Change) campaign.Campaign {
	t.Helper()
	c, err := b.svc.Update(t.Context(), b.actor, id, ch, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Recipients who wait for calling hours follow new ones at once. The delay after an attempt still applies.
func TestNewCallingHoursOfARunningCampaign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(2))
	d.Retry = &campaign.RetryInput{MaxAttempts: ptr(2), DelaysMinutes: []int{60}}
	opens := tomorrow(12)
	d.CallingHours = window(opens, 30*time.Minute)
	c := b.create(t, d)
	b.Advance(time.Until(opens) - time.Hour)
	b.dial(t)
	if n := len(b.network.up()); n > 0 {
		t.Fatalf("%d calls before the hours", n)
	}
	b.update(t, c.ID, campaign.Change{CallingHours: window(opens.Add(-2*time.Hour), 90*time.Minute)})
	b.dial(t)
	if n := len(b.network.up()); n != 2 {
		t.Fatalf("%d calls in the new hours", n)
	}
	// The hours end before the next attempt, which waits for next week.
	b.endAll(t, call.OutcomeBusy)
	b.settle(t)
	if r := b.recipients(t, c.ID)[testNumber(0)]; *r.WaitReason != campaign.WaitCallingHours {
		t.Fatalf("waits for %s", *r.WaitReason)
	}
	always := hours.Always()
	b.update(t, c.ID, campaign.Change{CallingHours: &always})
	b.dial(t)
	r := b.recipients(t, c.ID)[testNumber(0)]
	now := value[time.Time](t, b, `select clock()`)
	if *r.WaitReason != campaign.WaitRetry || r.DueAt.Before(now.Add(50*time.Minute)) ||
		r.DueAt.After(now.Add(time.Hour)) {
		t.Errorf("at %v: waits for %s until %v", now, *r.WaitReason, r.DueAt)
	}
	if r.ZoneSource != campaign.ZoneOfNumber || strings.Join(r.Zones, " ") != "America/Chicago" {
		t.Errorf("%s by %s", r.Zones, r.ZoneSource)
	}
	if n := len(b.network.up()); n > 0 {
		t.Errorf("%d calls before the delay is over", n)
	}
	b.Advance(61 * time.Minute)
	b.dial(t)
	if n := len(b.network.up()); n != 2 {
		t.Errorf("%d second attempts", n)
	}
	b.wantLog(t, c.ID, "Ada: Created with 2 recipients", "Dialwright: Started",
		"Dialwright: Waiting: 2 for their calling hours. Next call at "+opens.Format("Mon 15:04"),
		"Ada: Changed: calling hours", "Dialwright: Dialing continues", "Ada: Changed: calling hours",
		"Dialwright: Waiting: 2 for their next attempt. Next call at "+r.DueAt.UTC().Format("Mon 15:04"),
		"Dialwright: Dialing continues")
}

// The start of a scheduled campaign moves with its recipients, also to now.
func TestANewStart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(2))
	always := hours.Always()
	d.CallingHours, d.ScheduledAt = &always, ptr(time.Now().Add(48*time.Hour))
	c := b.create(t, d)
	later := ptr(time.Now().Add(72 * time.Hour).Truncate(time.Millisecond))
	got := b.update(t, c.ID, campaign.Change{ScheduledAt: &later})
	if !got.ScheduledAt.Equal(*later) || len(got.Waiting) != 1 || !time.Time(*got.Waiting[0].Until).Equal(*later) {
		t.Errorf("starts %v, waits %+v", got.ScheduledAt, got.Waiting)
	}
	b.Advance(49 * time.Hour)
	b.dial(t)
	if got := b.get(t, c.ID); got.Status != campaign.Scheduled {
		t.Errorf("%s at its former start", got.Status)
	}
	b.update(t, c.ID, campaign.Change{ScheduledAt: new(*time.Time)})
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Running || got.Dialing != 2 {
		t.Errorf("%s with %d calls", got.Status, got.Dialing)
	}
	_, err := b.svc.Update(t.Context(), b.actor, c.ID,
		campaign.Change{ScheduledAt: &later, RingTimeoutSeconds: ptr(20), Name: ptr("Other")}, nil)
	if fault.KindOf(err) != fault.Conflict || err.Error() != "scheduled_at: cannot be changed after the campaign has "+
		"started; ring_timeout_seconds: cannot be changed after the first call or message" {
		t.Errorf("after the start: %v", err)
	}
	if got := b.get(t, c.ID); got.Name != "Spring" {
		t.Error("a refused change changed the name")
	}
}

// A draft is not dialed before it is started.
func TestADraftStarts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(2))
	always := hours.Always()
	d.CallingHours, d.AsDraft = &always, true
	c := b.create(t, d)
	b.update(t, c.ID, campaign.Change{MaxConcurrency: ptr(5)})
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Drafted || got.Pending != 2 {
		t.Errorf("a draft is %s with %d pending", got.Status, got.Pending)
	}
	if _, err := b.svc.Start(t.Context(), b.actor, c.ID, ""); err != nil {
		t.Fatal(err)
	}
	b.dial(t)
	if got := b.checkCounters(t, c.ID); got.Status != campaign.Running || got.Dialing != 2 {
		t.Errorf("%s with %d calls", got.Status, got.Dialing)
	}
	b.wantLog(t, c.ID, "Ada: Created as a draft with 2 recipients", "Ada: Changed: simultaneous calls",
		"Ada: Draft started", "Dialwright: Started")
}

// A faster pace applies to the next call, which the slower one would delay.
func TestANewPace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.draft(3)
	d.CallsPerSecond, d.MaxConcurrency = ptr(0.01), ptr(10)
	c := b.create(t, d)
	b.dial(t)
	if n := len(b.network.up()); n != 1 {
		t.Fatalf("%d calls at first", n)
	}
	b.update(t, c.ID, campaign.Change{CallsPerSecond: ptr(10.0)})
	b.Advance(time.Second)
	b.dial(t)
	if n := len(b.network.up()); n != 3 {
		t.Errorf("%d calls a second later", n)
	}
	ended := ptr(value[time.Time](t, b, `select clock()`).Add(time.Minute))
	b.update(t, c.ID, campaign.Change{ExpiresAt: &ended})
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	_, err := b.svc.Update(t.Context(), b.actor, c.ID, campaign.Change{Name: ptr("Late")}, nil)
	if fault.KindOf(err) != fault.Conflict {
		t.Errorf("after the end: %v", err)
	}
}

// Changes beside passes and settlements lose no recipient and break no limit.
func TestChangesBesideTheDialer(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := fast(b.draft(60))
	always := hours.Always()
	d.CallingHours, d.MaxConcurrency = &always, ptr(9)
	c := b.create(t, d)
	done := make(chan struct{})
	var changes sync.WaitGroup
	changes.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			h := hours.Always()
			if i%2 == 0 {
				h.Timezone = "UTC"
			}
			if _, err := b.svc.Update(t.Context(), b.actor, c.ID,
				campaign.Change{CallingHours: &h, MaxConcurrency: ptr(5 + i%5)}, nil); err != nil {
				if fault.KindOf(err) != fault.Conflict { // it is completed
					t.Error(err)
				}
				return
			}
		}
	})
	for range 400 {
		b.dial(t)
		if n := len(b.network.up()); n > 9 {
			t.Errorf("%d calls at once", n)
		}
		b.endAll(t, call.OutcomeCompleted)
		b.settle(t)
		if b.get(t, c.ID).Completed == 60 {
			break
		}
		b.Advance(time.Second)
	}
	close(done)
	changes.Wait()
	if got := b.checkCounters(t, c.ID); got.Completed != 60 {
		t.Errorf("%d completed", got.Completed)
	}
	for i := range 60 {
		if n := b.network.dials(testNumber(i)); n != 1 {
			t.Errorf("%s was called %d times", testNumber(i), n)
		}
	}
}
