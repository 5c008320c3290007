package line

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
)

func (w *world) takeOver(at *Service, c call.Claimed, destination uuid.UUID) error {
	w.tb.Helper()
	return at.calls.TakeOver(w.tb.Context(), w.person(), c.ID, destination)
}

// A person takes a call over at another process: the agent breaks off, says one sentence, and the carrier dials the
// destination. If nobody answers there, its fallback is dialed. An agent without destinations of its own does the same.
func TestTakeOver(t *testing.T) {
	t.Parallel()
	for _, modeled := range []bool{false, true} {
		t.Run(map[bool]string{false: "script", true: "model"}[modeled], func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if modeled {
				w.withModel("sandbox", "")
			}
			_, other := w.twoProcesses()
			back := w.destination("Back office", "+13125550162", "cold", nil)
			desk := w.destination("Front desk", "+13125550161", "warm", &back)
			c, l, done := w.answered("+12025550101")
			l.play(t)
			l.heardAll()
			if err := w.takeOver(other, c, desk); err != nil {
				t.Fatal(err)
			}
			if tr := w.get(c.ID).Transfer; tr == nil || tr.DestinationID != desk || tr.EndedAt != nil {
				t.Errorf("the call has the transfer %+v", tr)
			}
			said := l.play(t)
			for !strings.Contains(said.text, "Front desk") { // what was on its way before
				said = l.play(t)
			}
			wait(t, done, "the line is not let go")
			if all := transcript(w, c); !strings.Contains(all,
				"system: Transfer requested by Ada Obi\nsystem: Transfer to Front desk\n") {
				t.Errorf("transcript\n%s", all)
			}
			if next := w.next(t, c); next.Dial == nil || next.Dial.To != "+13125550161" {
				t.Fatalf("next is %+v", next.Dial)
			}
			if err := w.takeOver(other, c, desk); fault.KindOf(err) != fault.Conflict || err == nil {
				t.Errorf("taken over twice: %v", err)
			}
			_, err := w.lines.Returned(t.Context(), c.ConnectionID, c.ID,
				carrier.DialEnd{Transfer: 1, Outcome: carrier.NoAnswer, Apart: true})
			if err != nil {
				t.Fatal(err)
			}
			l = newPhoneLine()
			done = other.converseInBackground(c, l) // the process that heard the wish is gone
			if said := l.play(t); !strings.Contains(said.text, "Back office") {
				t.Errorf("the agent says %q", said.text)
			}
			wait(t, done, "the line is not let go")
			if next := w.next(t, c); next.Dial == nil || next.Dial.To != "+13125550162" {
				t.Errorf("next is %+v", next.Dial)
			}
			if n := strings.Count(transcript(w, c), "Transfer requested"); n != 1 {
				t.Errorf("it was requested %d times", n)
			}
		})
	}
}

// The holder dies before it reads the wish. The process that takes over carries it out.
func TestTakeOverOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	desk := w.destination("Front desk", "+13125550161", "cold", nil)
	heir := w.instance() // no process wakes another
	c, l, done := w.answered("+12025550101")
	l.play(t)
	l.heardAll()
	if err := w.takeOver(heir, c, desk); err != nil {
		t.Fatal(err)
	}
	if tr := w.get(c.ID).Transfer; tr == nil || tr.State != call.TransferRequested || tr.Destination != "Front desk" {
		t.Errorf("before the agent knows, the call has the transfer %+v", tr)
	}
	l.tell(carrier.Closed{Reason: carrier.CloseLost})
	wait(t, done, "the line is not let go")
	l = newPhoneLine()
	done = heir.converseInBackground(c, l)
	for said := l.play(t); !strings.Contains(said.text, "Front desk"); {
		said = l.play(t)
	}
	wait(t, done, "the line is not let go")
	if next := w.next(t, c); next.Dial == nil {
		t.Error("nobody is dialed")
	}
}

// A take-over, another one, the recipient's wish for a person and the end of the call come at the same time. Nobody
// is dialed twice, and the call ends.
func TestTakeOverBesideOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, other := w.twoProcesses()
	desk := w.destination("Front desk", "+13125550161", "cold", nil)
	w.claim.AgentID = w.transferring(desk)
	c, l, done := w.answered("+12025550101")
	l.play(t)
	l.heardAll()
	var group sync.WaitGroup
	results := make([]error, 2)
	for i := range results {
		group.Go(func() { results[i] = w.takeOver(other, c, desk) })
	}
	group.Go(func() { l.tell(carrier.Prompt{Text: "I want to talk to a human."}) })
	group.Go(func() {
		if err := other.calls.End(t.Context(), w.person(), c.ID); err != nil {
			t.Error(err)
		}
	})
	group.Wait()
	for _, err := range results {
		if err != nil && fault.KindOf(err) != fault.Conflict {
			t.Error(err)
		}
	}
	if results[0] == nil && results[1] == nil {
		t.Error("the call was taken over twice")
	}
	wait(t, done, "the line is not let go")
	if next, err := w.lines.Proceed(t.Context(), c.ConnectionID, c.ID); !errors.Is(err, carrier.ErrNotAdmitted) {
		t.Errorf("a call that ends goes on with %+v, %v", next, err)
	}
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	w.exec(`update call set settle_after = clock()`)
	w.settle()
	if n := strings.Count(transcript(w, c), "system: Ended by Ada Obi\n"); n != 1 {
		t.Errorf("the transcript tells %d times who ended the call", n)
	}
}

func TestTakeOversThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	desk := w.destination("Front desk", "+13125550161", "cold", nil)
	refused := func(c call.Claimed, destination uuid.UUID, kind fault.Kind, words string) {
		t.Helper()
		if err := w.takeOver(w.lines, c, destination); fault.KindOf(err) != kind || err == nil ||
			!strings.Contains(err.Error(), words) {
			t.Errorf("refused with %v, want %q", err, words)
		}
	}
	c := w.talking("+12025550101")
	refused(c, desk, fault.Conflict, "Nobody is talking")
	l := newPhoneLine()
	done := w.lines.converseInBackground(c, l)
	l.play(t)
	l.heardAll()
	refused(c, uuid.New(), fault.Invalid, "no such destination")
	refused(call.Claimed{ID: uuid.New()}, desk, fault.NotFound, "Call not found")
	w.exec(`update destination set deactivated_at = clock()`)
	refused(c, desk, fault.Invalid, "no such destination")
	w.exec(`update destination set deactivated_at = null`)
	if err := w.calls.End(t.Context(), w.person(), c.ID); err != nil {
		t.Fatal(err)
	}
	refused(c, desk, fault.Conflict, "about to end")
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	refused(c, desk, fault.Conflict, "already ended")
	if got := w.get(c.ID); got.EndedReason != call.ReasonEndedByUser || got.EndedBy != call.BySystem {
		t.Errorf("ended because of %s by %s", got.EndedReason, got.EndedBy)
	}
}

// A call is taken over while the agent still says its greeting, which is then said before the transfer.
func TestTakeOverDuringTheGreeting(t *testing.T) {
	t.Parallel()
	for _, modeled := range []bool{false, true} {
		t.Run(map[bool]string{false: "script", true: "model"}[modeled], func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if modeled {
				w.withModel("sandbox", "")
			}
			_, other := w.twoProcesses()
			desk := w.destination("Front desk", "+13125550161", "cold", nil)
			c, l, done := w.answered("+12025550101")
			l.listen(t) // and nothing reports that it was played
			if err := w.takeOver(other, c, desk); err != nil {
				t.Fatal(err)
			}
			said := l.listen(t)
			for !strings.Contains(said.text, "Front desk") { // what was on its way before
				said = l.listen(t)
			}
			l.tell(carrier.Spoken{Utterance: said.number, Text: said.text, Confirmed: true})
			if !strings.Contains(said.text, "ress 9") {
				t.Errorf("the disclosure is not said again: %q", said.text)
			}
			wait(t, done, "the line is not let go")
		})
	}
}
