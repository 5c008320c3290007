package call

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
)

// The process dies after the claim: nobody was called, and the attempt is free.
func TestReconcileClaimNobodyAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	w.db.Advance(leaseTime - time.Second)
	w.reconcile()
	if got := w.get(c.ID); got.Status != Queued {
		t.Fatalf("closed during its lease: %+v", got)
	}
	w.db.Advance(time.Second)
	w.reconcile()
	got := w.get(c.ID)
	if got.Status != Failed || got.EndedReason != ReasonNotPlaced || !got.EndedReason.NotPlaced() {
		t.Fatalf("%+v", got)
	}
	if _, _, looked := w.network.count(); looked != 0 {
		t.Error("the carrier was asked about a call it was never asked for")
	}
}

// The process dies while the carrier is asked, and the carrier has no such
// call: that only counts when it can't come any more, and is never repeated.
func TestReconcileLostCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.network.place = func(carrier.Placement) (string, error) { return "", errors.New("killed") }
	c := w.queue("+12025550199")
	w.place(c)
	w.db.Advance(silentBefore)
	w.reconcile()
	if _, _, looked := w.network.count(); looked != 1 {
		t.Errorf("looked up %d times", looked)
	}
	if got := w.get(c.ID); got.Status != Queued {
		t.Fatalf("closed too early: %+v", got)
	}
	w.db.Advance(lostAfter - silentBefore)
	w.reconcile()
	got := w.get(c.ID)
	if got.Status != Failed || got.EndedReason != ReasonCarrierLost || got.EndedReason.NotPlaced() {
		t.Fatalf("%+v", got)
	}
	// It turns up after all: it is not revived, and gets no line.
	w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: "CA1"})
	if got := w.get(c.ID); got.Status != Failed || got.AnsweredAt != nil {
		t.Errorf("%+v", got)
	}
	if _, err := w.calls.Admit(t.Context(), c.ConnectionID, c.ID); !errors.Is(err, carrier.ErrNotAdmitted) {
		t.Errorf("admitted: %v", err)
	}
}

// The answer was lost but the call was placed; it is found by its numbers, and
// calls of ours that are known are not taken for it.
func TestReconcileFindsTheCallOfALostAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.queue("+12025550199")
	w.place(old)
	w.deliver(old, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Busy})

	w.network.place = func(carrier.Placement) (string, error) { return "", errors.New("cut off") }
	c := w.queue("+12025550199")
	w.place(c)
	w.network.mu.Lock()
	w.network.calls[""] = carrier.Report{CarrierCallID: "CA777", Phase: carrier.Over, Outcome: carrier.NoAnswer}
	w.network.mu.Unlock()
	w.db.Advance(silentBefore)
	w.reconcile()
	got := w.get(c.ID)
	if got.Status != NoAnswer || got.CarrierCallID == nil || *got.CarrierCallID != "CA777" {
		t.Fatalf("%+v", got)
	}
	ref := w.network.looked[0]
	if len(ref.NotThese) != 1 || ref.NotThese[0] != "CA001" || ref.PlacedAfter.IsZero() || ref.To != "+12025550199" {
		t.Errorf("looked up by %+v", ref)
	}
}

func TestReconcileAsksAboutSilentCalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before []carrier.EventKind
		after  time.Duration
		report carrier.Report
		want   Status
		reason Reason
	}{
		"ringing, over": {
			[]carrier.EventKind{carrier.Ringing}, silentBefore,
			carrier.Report{Phase: carrier.Over, Outcome: carrier.Busy}, Busy, ReasonBusy,
		},
		"queued, rings": {nil, silentBefore, carrier.Report{Phase: carrier.Alerts}, Ringing, ""},
		"ringing, is up": {
			[]carrier.EventKind{carrier.Ringing}, silentBefore, carrier.Report{Phase: carrier.Talking}, InProgress,
			"",
		},
		"up, over, a machine": {
			[]carrier.EventKind{carrier.Answered}, silentAfter,
			carrier.Report{Phase: carrier.Over, Outcome: carrier.Completed, AnsweredBy: carrier.Machine}, Completed,
			ReasonVoicemail,
		},
		"ringing, too early": {
			[]carrier.EventKind{carrier.Ringing}, silentBefore - time.Second,
			carrier.Report{Phase: carrier.Over, Outcome: carrier.Busy}, Ringing, "",
		},
		"up, too early": {
			[]carrier.EventKind{carrier.Answered}, silentAfter - time.Second,
			carrier.Report{Phase: carrier.Over, Outcome: carrier.Completed}, InProgress, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.queue("+12025550199")
			w.place(c)
			for _, kind := range test.before {
				w.deliver(c, carrier.Event{Kind: kind})
			}
			w.network.report("CA001", test.report)
			w.db.Advance(test.after)
			w.reconcile()
			if got := w.get(c.ID); got.Status != test.want || got.EndedReason != test.reason {
				t.Errorf("%s, %q", got.Status, got.EndedReason)
			}
		})
	}
}

// A call that is up but has no line is ended, by the carrier's word.
func TestReconcileEndsCallsWithoutALine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Answered})
	w.network.report("CA001", carrier.Report{Phase: carrier.Talking})
	w.db.Advance(silentAfter)
	w.reconcile()
	if _, hungUp, _ := w.network.count(); hungUp != 1 {
		t.Fatalf("hung up %d times", hungUp)
	}
	if got := w.get(c.ID); got.Status != InProgress {
		t.Fatalf("ended without the carrier's word: %s", got.Status)
	}
	w.network.report("CA001", carrier.Report{Phase: carrier.Over, Outcome: carrier.Completed})
	w.db.Advance(silentEnding)
	w.reconcile()
	if got := w.get(c.ID); got.Status != Completed || got.EndedReason != ReasonLineFailed || got.EndedBy != BySystem {
		t.Errorf("%+v", got)
	}
}

// When the carrier can't be asked nothing is made up, but nothing leaks either.
func TestReconcileWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	w.place(c)
	w.network.lookErr = errors.New("no network")
	w.db.Advance(lostAfter)
	w.reconcile()
	if got := w.get(c.ID); got.Status != Queued {
		t.Fatalf("%+v", got)
	}
	w.db.Advance(overdue + 30*time.Second + 10*time.Minute)
	w.reconcile()
	if got := w.get(c.ID); got.Status != Failed || got.EndedReason != ReasonCarrierLost {
		t.Errorf("%+v", got)
	}
}

// A hang-up that got lost is asked for again.
func TestReconcileRepeatsHangUps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.queue("+12025550199")
	w.place(c)
	if err := w.calls.End(t.Context(), account.System(c.OrganizationID), c.ID); err != nil {
		t.Fatal(err)
	}
	w.db.Advance(silentEnding)
	w.reconcile()
	if _, hungUp, _ := w.network.count(); hungUp != 2 {
		t.Errorf("hung up %d times", hungUp)
	}
}

// A carrier that does not answer holds up the calls of its own connection, and
// not for long.
func TestReconcileGivesASilentCarrierUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 40 {
		w.place(w.queue(fmt.Sprintf("+120255501%02d", i)))
	}
	w.network.lookErr = errors.New("no route to host")
	w.db.Advance(silentBefore + time.Second)
	w.reconcile()
	if _, _, looked := w.network.count(); looked == 0 || looked > reconcileWorkers {
		t.Errorf("it was asked %d times", looked)
	}
}

// A call that the carrier never gets to is withdrawn, for its slot is wanted and
// the calling hours may be over when its turn comes.
func TestReconcileWithdrawsCallsThatRingForEver(t *testing.T) {
	t.Parallel()
	for _, phase := range []carrier.Phase{carrier.Waiting, carrier.Alerts} {
		w := newWorld(t)
		c := w.queue("+12025550199")
		w.place(c)
		w.network.report("CA001", carrier.Report{Phase: phase})
		w.db.Advance(c.RingTimeout + silentBefore)
		w.reconcile()
		if _, hungUp, _ := w.network.count(); hungUp != 0 {
			t.Fatalf("%s: withdrawn while it may well ring", phase)
		}
		w.db.Advance(lostAfter)
		w.reconcile()
		if _, hungUp, _ := w.network.count(); hungUp != 1 {
			t.Fatalf("%s: hung up %d times", phase, hungUp)
		}
		w.deliver(c, carrier.Event{Kind: carrier.Ended, CarrierCallID: "CA001", Outcome: carrier.Canceled})
		if got := w.get(c.ID); got.Outcome != OutcomeNoAnswer || got.EndedReason != ReasonNoAnswer ||
			got.EndedBy != BySystem {
			t.Errorf("%s: %s, %s by %s", phase, got.Outcome, got.EndedReason, got.EndedBy)
		}

		// One that the carrier insists on is given up in the end.
		c = w.queue("+12025550199")
		w.place(c)
		w.network.report("CA002", carrier.Report{Phase: phase})
		w.db.Advance(c.RingTimeout + c.MaxDuration + overdue + time.Minute)
		w.reconcile()
		if got := w.get(c.ID); got.EndedReason != ReasonCarrierLost {
			t.Errorf("%s: %s, %s after hours", phase, got.Status, got.EndedReason)
		}
	}
}
