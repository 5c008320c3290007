package call

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
)

// The process dies after the claim. No phone rang, and the call does not count as an attempt.
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

// The process dies during the request, and the carrier does not know the call. The call ends only
// when the carrier can no longer place it, and it is never requested again.
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
	if got.Status != Failed || got.EndedReason != ReasonCarrierLost || got.EndedReason.NotPlaced() ||
		got.Detail != "the carrier did not confirm the call and does not know it" {
		t.Fatalf("%+v", got)
	}
	// The carrier reports the call after all. The call stays ended, and gets no line.
	w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: "CA1"})
	if got := w.get(c.ID); got.Status != Failed || got.AnsweredAt != nil {
		t.Errorf("%+v", got)
	}
	if _, err := w.calls.Admit(t.Context(), c.ConnectionID, c.ID); !errors.Is(err, carrier.ErrNotAdmitted) {
		t.Errorf("admitted: %v", err)
	}
}

// The answer to the request was lost, but the carrier placed the call. The reconciler finds the
// call by its numbers, and excludes the known calls between the same numbers.
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
			w.hadLine(c)
			w.network.report("CA001", test.report)
			w.db.Advance(test.after)
			w.reconcile()
			if got := w.get(c.ID); got.Status != test.want || got.EndedReason != test.reason {
				t.Errorf("%s, %q", got.Status, got.EndedReason)
			}
		})
	}
}

// A live call without a line is hung up. It ends when the carrier reports the end.
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

// Without an answer of the carrier, the product does not guess the outcome, but still ends the call
// at some time.
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
	if got := w.get(c.ID); got.Status != Failed || got.EndedReason != ReasonCarrierLost ||
		got.Detail != "the carrier did not report the end of the call" {
		t.Errorf("%+v", got)
	}
}

// A hang-up request that was lost is repeated.
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

// A carrier that does not answer delays only the calls of its own connection, and only for a short
// time.
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

// A call that the carrier never connects is canceled, because its slot is needed and the calling
// hours may be over when the phone rings.
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

		// A call that the carrier keeps reporting is closed after its maximum duration.
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
