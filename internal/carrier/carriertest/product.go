package carriertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// This file tests the behavior of the product: it cancels, refuses, says several things at once,
// dies and comes back.

func canceled(t *testing.T, s *suite) {
	call := s.place(t, "02")
	s.host.Until(t, call, "ringing", func(v View) bool { return slices.Contains(v.Kinds(), carrier.Ringing) })
	if report, err := s.Carrier.Lookup(t.Context(), s.ref()); err != nil || report.Phase != carrier.Alerts {
		t.Errorf("lookup while ringing: %+v, %v", report, err)
	}
	if err := s.Carrier.Hangup(t.Context(), s.ref()); err != nil {
		t.Fatal(err)
	}
	s.ends(t, carrier.Canceled)
	if err := s.Carrier.Hangup(t.Context(), s.ref()); err != nil {
		t.Errorf("hanging up an ended call: %v", err)
	}
}

// glare hangs up while the call is being answered. The call ends as completed or canceled, and only
// once.
func glare(t *testing.T, s *suite) {
	hungUp := make(chan error, 1)
	var once atomic.Bool
	ready := make(chan struct{})
	s.host.OnEvent = func(e carrier.Event) {
		if e.Kind == carrier.Answered && once.CompareAndSwap(false, true) {
			<-ready
			hungUp <- s.Carrier.Hangup(context.Background(), s.ref())
		}
	}
	call := s.place(t, "00")
	close(ready)
	if err := <-hungUp; err != nil {
		t.Fatal(err)
	}
	v := s.host.Until(t, call, "the end", func(v View) bool { _, ok := v.Ended(); return ok && v.Open == nil })
	if e, _ := v.Ended(); e.Outcome != carrier.Completed && e.Outcome != carrier.Canceled {
		t.Errorf("outcome %q", e.Outcome)
	}
}

func notAdmitted(t *testing.T, s *suite) {
	s.place(t, "00", func(p *carrier.Placement) { s.host.Close(p.CallID) })
	if v := s.ends(t, carrier.Completed); v.Lines != 0 {
		t.Errorf("%d lines were opened for a call that is closed", v.Lines)
	}
}

func timeLimit(t *testing.T, s *suite) {
	s.place(t, "12", func(p *carrier.Placement) { p.MaxDuration = 4 * time.Second })
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if closed := All[carrier.Closed](v); closed[0].Reason != carrier.CloseRemote {
		t.Errorf("closed because %+v", closed[0])
	}
}

func flush(t *testing.T, s *suite) {
	const instead = "Something else."
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		long := strings.Repeat("One more thing before we go on. ", 20)
		_, _ = line.Say(ctx, long, carrier.SayOptions{})
		_, _ = line.Say(ctx, "Never to be heard.", carrier.SayOptions{})
		_ = line.Flush(ctx)
		_, _ = line.Say(ctx, instead, carrier.SayOptions{})
		spoken := 0
		for {
			h, err := s.host.Listen(ctx, callID, line)
			if err != nil {
				return
			}
			if _, ok := h.(carrier.Spoken); ok {
				if spoken++; spoken == 3 {
					_ = line.Hangup(ctx)
				}
			}
		}
	}
	s.place(t, "12")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	spoken := All[carrier.Spoken](v)
	if len(spoken) != 3 {
		t.Fatalf("spoken %+v", spoken)
	}
	if spoken[0].Cut != carrier.CutFlushed || spoken[1].Cut != carrier.CutFlushed || spoken[1].Text != "" {
		t.Errorf("flushed: %+v", spoken)
	}
	if spoken[2].Cut != carrier.CutNot || spoken[2].Text != instead {
		t.Errorf("said instead: %+v", spoken[2])
	}
}

// queue says several things at once. The utterances are played in order.
func queue(t *testing.T, s *suite) {
	all := []string{"Hello, this is Clara.", "This is an automated call.", "You can press nine at any time."}
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		for _, text := range all {
			_, _ = line.Say(ctx, text, carrier.SayOptions{Uninterruptible: true})
		}
		for spoken := 0; ; {
			h, err := s.host.Listen(ctx, callID, line)
			if err != nil {
				return
			}
			if _, ok := h.(carrier.Spoken); ok {
				if spoken++; spoken == len(all) {
					_ = line.Hangup(ctx)
				}
			}
		}
	}
	s.place(t, "12")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	for i, x := range All[carrier.Spoken](v) {
		if x.Text != all[i] || x.Cut != carrier.CutNot {
			t.Errorf("utterance %d: %+v", i, x)
		}
	}
}

// restart kills the instance in the middle of a conversation. The next instance takes over the line
// and runs the conversation to its end.
func restart(t *testing.T, s *suite) {
	call := s.place(t, "00")
	s.host.Until(t, call, "an answer", func(v View) bool { return len(All[carrier.Prompt](v)) == 1 })
	next := NewHost()
	next.Script = s.host.Script
	next.state[call] = 1
	s.Restart(t, next)
	v := s.host.Until(t, call, "the line to break", func(v View) bool { return v.Open == nil })
	accounted(t, v)
	s.host = next
	v = s.ends(t, carrier.Completed)
	if v.Lines == 0 || len(All[carrier.Prompt](v)) < 2 {
		t.Errorf("%d lines; heard %s", v.Lines, prompts(v))
	}
}

// lineTakenOver loses the line while the first instance lives. The line is opened again at another
// instance, which runs the conversation to its end and receives the end of the call.
func lineTakenOver(t *testing.T, s *suite) {
	first, next := s.host, NewHost()
	next.Script = first.Script
	joined := make(chan struct{})
	first.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		<-joined // from then on, lines are opened at the second instance
		first.hold(ctx, callID, line)
	}
	next.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		// The product reads this state from the rows of the call.
		first.mu.Lock()
		answered := first.state[callID]
		first.mu.Unlock()
		next.mu.Lock()
		next.state[callID] = answered
		next.mu.Unlock()
		next.hold(ctx, callID, line)
	}
	call := s.place(t, "11")
	first.Until(t, call, "a line", func(v View) bool { return v.Lines == 1 })
	s.Join(t, next)
	close(joined)

	v := first.Until(t, call, "the line to be lost", func(v View) bool { return v.Open == nil })
	accounted(t, v)
	if closed := All[carrier.Closed](v); len(closed) != 1 || closed[0].Reason != carrier.CloseLost || v.Lines != 1 {
		t.Errorf("the first instance: %d lines, closed %+v", v.Lines, closed)
	}
	heard := len(All[carrier.Prompt](v))
	s.host = next
	v = next.Until(t, call, "the end", func(v View) bool { _, ok := v.Ended(); return ok && v.Open == nil })
	accounted(t, v)
	if e, _ := v.Ended(); e.Outcome != carrier.Completed {
		t.Errorf("outcome %q", e.Outcome)
	}
	if closed := All[carrier.Closed](v); len(closed) != 1 || closed[0].Reason != carrier.CloseHangup || v.Lines != 1 {
		t.Errorf("the second instance: %d lines, closed %+v", v.Lines, closed)
	}
	if heard += len(All[carrier.Prompt](v)); heard < len(next.Script) {
		t.Errorf("%d answers were heard, the last of them %s", heard, prompts(v))
	}
}

// eventRefused fails the first delivery of an event. The carrier sends the event again.
func eventRefused(t *testing.T, s *suite) {
	var failed atomic.Bool
	refusing := refusingHost{Host: s.host, refuse: func(e carrier.Event) bool {
		return e.Kind == carrier.Ended && failed.CompareAndSwap(false, true)
	}}
	open := s.open
	s.open = func(t *testing.T, _ carrier.Host) Network { return open(t, refusing) }
	s.place(t, "01")
	s.ends(t, carrier.Busy)
	if !failed.Load() {
		t.Error("nothing was refused")
	}
}

type refusingHost struct {
	*Host
	refuse func(carrier.Event) bool
}

func (h refusingHost) Deliver(ctx context.Context, e carrier.Event) error {
	if h.refuse(e) {
		return fmt.Errorf("deliver: %w", errTest)
	}
	return h.Host.Deliver(ctx, e)
}

func foundWithoutID(t *testing.T, s *suite) {
	call := s.place(t, "02")
	s.host.Until(t, call, "ringing", func(v View) bool { return slices.Contains(v.Kinds(), carrier.Ringing) })
	ref := s.ref()
	ref.CarrierCallID = ""
	report, err := s.Carrier.Lookup(t.Context(), ref)
	if err != nil || report.CarrierCallID != s.sid {
		t.Fatalf("lookup: %+v, %v", report, err)
	}
	ref.NotThese = []string{s.sid}
	if _, err := s.Carrier.Lookup(t.Context(), ref); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("another's call was taken for ours: %v", err)
	}
	ref.NotThese, ref.PlacedAfter = nil, time.Now().Add(time.Minute)
	if _, err := s.Carrier.Lookup(t.Context(), ref); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("an older call was taken for ours: %v", err)
	}
	ref.PlacedAfter = s.before
	if err := s.Carrier.Hangup(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	s.ends(t, carrier.Canceled)
}
