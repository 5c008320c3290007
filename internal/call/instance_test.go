package call

import (
	"errors"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/carrier"
)

// After the death of a process, the state of each of its calls decides what happens to the call.
// The calls of a living process do not change.
func TestCallsOfADeadProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dead, heir := w.calls, w.instance()
	join := func(s *Service) {
		t.Helper()
		if err := s.Join(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
	accepted := func(to string) Claimed {
		c := w.queue(to)
		w.place(c)
		return c
	}
	over := accepted("+12025550101")
	w.deliver(over, carrier.Event{Kind: carrier.Ringing})
	talking := accepted("+12025550102")
	w.deliver(talking, carrier.Event{Kind: carrier.Answered})
	w.calls = heir
	held := accepted("+12025550103") // claimed by the living process; the dead process has its line
	w.deliver(held, carrier.Event{Kind: carrier.Answered})
	w.exec(`insert into call_line (call_id, organization_id, instance_id) values ($1, $2, $3)`, held.ID,
		held.OrganizationID, dead.instance)
	w.db.Advance(decidedAfter)

	join(dead)
	others := []Claimed{w.queue("+12025550104"), accepted("+12025550105")}
	w.calls = dead
	claimed := w.queue("+12025550106")
	young := accepted("+12025550107")
	ambiguous := w.queue("+12025550108")
	w.network.place = func(carrier.Placement) (string, error) { return "", errors.New("killed") }
	w.place(ambiguous)
	w.calls = heir

	sid := func(c Claimed) string { return *w.get(c.ID).CarrierCallID }
	for c, report := range map[*Claimed]carrier.Report{
		&over:    {CarrierCallID: sid(over), Phase: carrier.Over, Outcome: carrier.Busy},
		&talking: {CarrierCallID: sid(talking), Phase: carrier.Talking},
		&held:    {CarrierCallID: sid(held), Phase: carrier.Over, Outcome: carrier.Completed},
	} {
		w.network.report(sid(*c), report)
	}

	join(heir) // the other process renewed its row a moment ago
	w.reconcile()
	if _, _, looked := w.network.count(); looked != 0 {
		t.Fatalf("%d calls of living processes were looked up", looked)
	}

	w.exec(`update instance set seen_at = seen_at - interval '6 seconds' where id = $1`, dead.instance)
	join(heir)
	w.reconcile()
	want := func(c Claimed, status Status, reason Reason) {
		t.Helper()
		if got := w.get(c.ID); got.Status != status || got.EndedReason != reason {
			t.Errorf("call to %s: %s %q, want %s %q", c.PersonNumber, got.Status, got.EndedReason, status, reason)
		}
	}
	want(claimed, Failed, ReasonNotPlaced)
	if r, err := dead.Place(t.Context(), claimed); err != nil || r.Placed != PlacedNot {
		t.Errorf("a process that was taken for dead placed a call: %+v, %v", r, err)
	}
	want(ambiguous, Queued, "")
	want(young, Queued, "")
	want(over, Busy, ReasonBusy)
	want(talking, InProgress, "")
	want(held, Completed, ReasonHungUp)
	for _, c := range others {
		want(c, Queued, "")
	}
	if _, hungUp, looked := w.network.count(); hungUp != 0 || looked != 4 {
		t.Errorf("%d hung up, %d looked up", hungUp, looked)
	}

	// The carrier has lost the call, as the sandbox does when its process ends. The call ends only
	// when the carrier must know it.
	w.network.mu.Lock()
	delete(w.network.calls, *w.get(young.ID).CarrierCallID)
	w.network.mu.Unlock()
	w.db.Advance(decidedAfter)
	w.reconcile()
	want(young, Failed, ReasonCarrierLost)
	want(ambiguous, Queued, "")
	w.db.Advance(lostAfter - decidedAfter)
	w.reconcile()
	want(ambiguous, Failed, ReasonCarrierLost)
}

// A process that uses the database alone takes over without waiting.
func TestTheOnlyProcessTakesOverAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.db.StopClock() // no lease ends because of the time
	if err := w.calls.Join(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	c := w.queue("+12025550101")
	if err := w.instance().Join(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	w.db.Advance(time.Millisecond)
	w.reconcile()
	if got := w.get(c.ID); got.EndedReason != ReasonNotPlaced {
		t.Errorf("%s %q", got.Status, got.EndedReason)
	}
}
