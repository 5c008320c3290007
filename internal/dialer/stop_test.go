package dialer

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/carrier"
)

func (b *bench) stop(t testing.TB, hangUp bool) int {
	t.Helper()
	n, err := b.calling.Stop(t.Context(), b.actor, hangUp)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (b *bench) allow(t testing.TB) {
	t.Helper()
	if err := b.calling.Allow(t.Context(), b.actor); err != nil {
		t.Fatal(err)
	}
}

func TestAllCallingCanBeStopped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, b.draft(2))
	b.stop(t, false)
	b.dial(t)
	got := b.checkCounters(t, c.ID)
	if got.Pending != 2 || len(got.Waiting) != 1 || got.Waiting[0].Reason != campaign.WaitCallingStopped ||
		got.Waiting[0].Recipients != 2 ||
		got.Waiting[0].Detail == nil || *got.Waiting[0].Detail != "Stopped by Ada" {
		t.Errorf("%+v", got)
	}
	if at := value[*time.Time](t, b, `select dial_at from campaign where id = $1`, c.ID); at != nil {
		t.Errorf("looks again at %v, though nothing can be done before calling is allowed", at)
	}
	b.stop(t, false) // a second stop changes nothing
	b.allow(t)
	b.allow(t)
	b.dial(t)
	if log := value[string](
		t, b, `select string_agg(kind, ' ' order by id) from campaign_log_entry where kind in ('waiting', 'dialing')`,
	); log != "waiting dialing" {
		t.Errorf("the campaign's log has %q", log)
	}
	b.wantLog(t, c.ID, "Ada: Created with 2 recipients", "Dialwright: Started",
		"Dialwright: All calling was stopped by Ada: 2 recipients wait",
		"Dialwright: Calling is allowed again. Dialing continues")
	if n := len(b.network.up()); n != 1 {
		t.Errorf("%d calls after it is allowed again", n)
	}
	audit := value[string](
		t, b,
		`select string_agg(action || ' by ' || actor_name, ', ' order by id) from audit_entry
			where action like 'organization.%'`,
	)
	if audit != "organization.calling_stopped by Ada, organization.calling_allowed by Ada" {
		t.Errorf("the audit log says %s", audit)
	}
}

// A stop affects only its own organization.
func TestAStopHoldsUpNoOtherOrganization(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := benchOn(t, b.DB)
	c := other.create(t, other.draft(1))
	b.stop(t, true)
	other.dial(t)
	if got := other.checkCounters(t, c.ID); got.Dialing != 1 {
		t.Errorf("%+v", got)
	}
}

// A call that was claimed before the stop and not requested is never placed, and its
// recipient loses no attempt.
func TestAClaimedCallIsNotPlacedAfterAStop(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	c := b.create(t, fast(b.draft(1)))
	due, _, _, err := b.dialer.due(t.Context())
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	l, err := b.dialer.pass(t.Context(), due[0], 10, false)
	if err != nil || len(l.queued) != 1 {
		t.Fatal(l, err)
	}
	if n := b.stop(t, false); n != 0 {
		t.Errorf("%d calls are said to be up", n)
	}
	if result, err := b.calls.Place(t.Context(), l.queued[0]); err != nil || result.Placed != call.PlacedNot ||
		b.network.dials(testNumber(0)) != 0 {
		t.Errorf("%+v, %v, dialed %d times", result, err, b.network.dials(testNumber(0)))
	}
	b.settle(t)
	b.dial(t)
	r := b.recipients(t, c.ID)[testNumber(0)]
	if got := b.checkCounters(t, c.ID); got.Pending != 1 || r.Attempts != 0 || got.CallsPlaced != 0 {
		t.Errorf("%+v, %+v", got, r)
	}
	b.allow(t)
	b.dial(t)
	if b.network.dials(testNumber(0)) != 1 {
		t.Errorf("dialed %d times after it is allowed again", b.network.dials(testNumber(0)))
	}
}

// Calls in progress continue, unless the stop asks the carrier to end them.
func TestAStopEndsCallsInProgressWhereAsked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const people = 20
	c := b.create(t, fast(b.draft(people)))
	for len(b.network.up()) < people {
		b.dial(t)
	}
	talking := b.network.up()[0]
	b.tell(t, talking, ends(call.OutcomeCompleted)[0])
	if n := b.stop(t, false); n != 0 || len(b.network.hungUp()) != 0 {
		t.Errorf("%d calls are ended, the carrier was asked to end %d", n, len(b.network.hungUp()))
	}
	if n := b.stop(t, true); n != people || len(b.network.hungUp()) != people {
		t.Errorf("%d calls are ended, the carrier was asked to end %d", n, len(b.network.hungUp()))
	}
	for _, id := range b.network.up() {
		b.tell(t, id, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	}
	b.Advance(time.Minute)
	b.settle(t)
	got := b.checkCounters(t, c.ID)
	if got.Status != campaign.Completed || got.Dialing+got.InProgress != 0 {
		t.Errorf("%+v", got)
	}
	if n := value[int](
		t, b, `select count(*) from call where ended_reason = 'ended_by_user' and ended_by = 'system'`,
	); n != people {
		t.Errorf("%d calls say that a person ended them", n)
	}
}

// After a stop has returned, no process commits a claim or sends a request to a carrier,
// although they race. Campaigns continue when calling is allowed again.
func TestAStopHolds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const people = 300
	d := b.draft(people)
	d.CallsPerSecond, d.MaxConcurrency = ptr(100.0), ptr(1000) // at most 26 after each stop
	c := b.create(t, d)
	ctx, end := context.WithCancel(context.Background())
	var work sync.WaitGroup
	b.race(ctx, t, &work)
	defer work.Wait()
	defer end()
	claimed := func() int { return value[int](t, b, `select count(*) from call`) }
	asked := func() int { return value[int](t, b, `select count(*) from call where asked_at is not null`) }
	for round := range 6 {
		before := asked()
		b.until(t, "carriers are asked again", func() bool { return asked() != before })
		b.stop(t, round%2 == 0)
		n, m := claimed(), asked()
		for range 5 {
			if again := claimed(); again != n {
				t.Fatalf("%d calls were claimed after the stop", again-n)
			}
			if again := asked(); again != m {
				t.Fatalf("%d carriers were asked after the stop", again-m)
			}
		}
		b.endAll(t, call.OutcomeCompleted)
		b.allow(t)
	}
	end()
	work.Wait()
	b.endAll(t, call.OutcomeCompleted)
	b.settle(t)
	b.checkCounters(t, c.ID)
	for i := range people {
		if n := b.network.dials(testNumber(i)); n > 1 {
			t.Errorf("%s was dialed %d times", testNumber(i), n)
		}
	}
}
