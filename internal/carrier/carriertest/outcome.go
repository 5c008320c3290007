package carriertest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// This file tests the behavior of recipients: one test for each reserved outcome.

func answered(t *testing.T, s *suite) {
	s.place(t, "00")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if want := []carrier.EventKind{
		carrier.Accepted, carrier.Ringing, carrier.Answered,
	}; !slices.Equal(v.Kinds()[:3], want) {
		t.Errorf("events %v", v.Kinds())
	}
	if d, ok := v.Detected(); !ok || d.AnsweredBy != carrier.Human {
		t.Errorf("detected %+v", d)
	}
	if got := All[carrier.Prompt](v); len(got) != len(s.host.Script) {
		t.Errorf("the recipient answered %d of %d questions: %s", len(got), len(s.host.Script), prompts(v))
	}
	spoken := All[carrier.Spoken](v)
	for i, text := range append(slices.Clone(s.host.Script), Goodbye) {
		if i >= len(spoken) || spoken[i].Text != text || spoken[i].Cut != carrier.CutNot || !spoken[i].Confirmed {
			t.Fatalf("spoken %d: %+v", i, spoken)
		}
		if spoken[i].Start.IsZero() || !spoken[i].End.After(spoken[i].Start) {
			t.Errorf("utterance %d has no times: %+v", i, spoken[i])
		}
	}
	if closed := All[carrier.Closed](v); closed[0].Reason != carrier.CloseHangup {
		t.Errorf("closed because %+v", closed[0])
	}
	if e, _ := v.Ended(); e.Duration <= 0 {
		t.Error("no talk time")
	}
}

func busy(t *testing.T, s *suite) {
	s.place(t, "01")
	if v := s.ends(t, carrier.Busy); v.Lines != 0 {
		t.Error("a line was opened")
	}
}

func noAnswer(t *testing.T, s *suite) {
	s.place(t, "02", func(p *carrier.Placement) { p.RingTimeout = 8 * time.Second })
	if v := s.ends(t, carrier.NoAnswer); v.Lines != 0 || !slices.Contains(v.Kinds(), carrier.Ringing) {
		t.Errorf("%d lines, events %v", v.Lines, v.Kinds())
	}
}

func voicemailHangup(t *testing.T, s *suite) {
	detected := make(chan struct{})
	var once atomic.Bool
	s.host.OnEvent = func(e carrier.Event) {
		if e.Kind == carrier.Detected && once.CompareAndSwap(false, true) {
			close(detected)
		}
	}
	call := s.place(t, "03")
	<-detected
	if d, _ := s.host.View(call).Detected(); d.AnsweredBy != carrier.Machine || d.MessageEnd {
		t.Errorf("detected %+v", d)
	}
	if err := s.Carrier.Hangup(t.Context(), s.ref()); err != nil {
		t.Fatal(err)
	}
	accounted(t, s.ends(t, carrier.Completed))
}

func voicemailMessage(t *testing.T, s *suite) {
	const message = "Hello, this is Clara from the Riverside Clinic. Please call us back at your convenience. Goodbye."
	beep := make(chan struct{})
	var once atomic.Bool
	s.host.OnEvent = func(e carrier.Event) {
		if e.Kind == carrier.Detected && e.AnsweredBy == carrier.Machine && e.MessageEnd &&
			once.CompareAndSwap(false, true) {
			close(beep)
		}
	}
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		_, _ = line.Say(ctx, s.host.Script[0], carrier.SayOptions{})
		said := 0
		go func() {
			<-beep
			_ = line.Flush(ctx)
			_, _ = line.Say(ctx, message, carrier.SayOptions{})
		}()
		for {
			h, err := s.host.Listen(ctx, callID, line)
			if err != nil {
				return
			}
			if x, ok := h.(carrier.Spoken); ok {
				if said++; said == 2 && x.Cut == carrier.CutNot {
					_ = line.Hangup(ctx)
				}
			}
		}
	}
	s.place(t, "03", func(p *carrier.Placement) { p.Detection.Mode = carrier.DetectBeep })
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if spoken := All[carrier.Spoken](v); len(spoken) != 2 || spoken[1].Text != message ||
		spoken[1].Cut != carrier.CutNot {
		t.Errorf("spoken %+v", spoken)
	}
	if !strings.Contains(prompts(v), "after the") {
		t.Errorf("the machine's greeting was not heard: %s", prompts(v))
	}
}

func remoteHangup(t *testing.T, s *suite) {
	s.place(t, "04")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	spoken := All[carrier.Spoken](v)
	last := spoken[len(spoken)-1]
	full := s.host.Script[len(spoken)-1]
	if last.Cut != carrier.CutClosed || last.Text == full || !strings.HasPrefix(full, last.Text) || last.Text == "" {
		t.Errorf("the sentence was not cut: %+v", last)
	}
	if closed := All[carrier.Closed](v); closed[0].Reason != carrier.CloseRemote {
		t.Errorf("closed because %+v", closed[0])
	}
}

func bargeIn(t *testing.T, s *suite) {
	s.place(t, "05")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	first := All[carrier.Spoken](v)[0]
	if first.Cut != carrier.CutRecipient || !first.Confirmed || first.Text == "" ||
		first.Text == s.host.Script[0] || !strings.HasPrefix(s.host.Script[0], first.Text) {
		t.Errorf("first utterance %+v", first)
	}
	if !strings.HasPrefix(prompts(v), "Sorry, who is this?") {
		t.Errorf("heard %s", prompts(v))
	}
}

func nine(t *testing.T, s *suite) {
	s.place(t, "06")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if digits := All[carrier.Digit](v); len(digits) != 1 || digits[0].Digit != "9" {
		t.Errorf("digits %+v", digits)
	}
}

func stop(t *testing.T, s *suite) {
	s.host.Script = s.host.Script[:1]
	s.place(t, "07")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if !strings.Contains(strings.ToLower(prompts(v)), "stop") {
		t.Errorf("heard %s", prompts(v))
	}
}

func refused(t *testing.T, s *suite) {
	s.Network = s.open(t, s.host)
	_, err := s.Carrier.Place(t.Context(), carrier.Placement{
		CallID: uuid.Must(uuid.NewV7()), From: From, To: s.Number("08"),
		RingTimeout: 30 * time.Second, MaxDuration: time.Minute,
	})
	e, ok := errors.AsType[*carrier.Error](err)
	if !ok || e.Kind != carrier.Refused || e.Code == "" || e.Reason == "" || carrier.Connection(err) {
		t.Fatalf("got %#v (%v)", e, err)
	}
	if strings.Contains(err.Error(), s.Number("08")) {
		t.Error("the error holds the number")
	}
}

func vanishes(t *testing.T, s *suite) {
	call := s.place(t, "09")
	if _, err := s.Carrier.Lookup(t.Context(), s.ref()); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("lookup: %v", err)
	}
	ref := s.ref()
	ref.CarrierCallID = ""
	if _, err := s.Carrier.Lookup(t.Context(), ref); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("lookup without id: %v", err)
	}
	if err := s.Carrier.Hangup(t.Context(), s.ref()); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("hang up: %v", err)
	}
	if v := s.host.View(call); len(v.Events) != 0 {
		t.Errorf("events %+v", v.Events)
	}
}

func shuffled(t *testing.T, s *suite) {
	call := s.place(t, "10")
	s.ends(t, carrier.Completed)
	v := s.host.Until(t, call, "the duplicates", func(v View) bool {
		n := map[carrier.EventKind]int{}
		for _, e := range v.Events {
			n[e.Kind]++
		}
		return n[carrier.Ended] >= 2 && n[carrier.Answered] >= 2 && n[carrier.Ringing] >= 2 && n[carrier.Accepted] >= 2
	})
	answered := slices.IndexFunc(v.Events, func(e carrier.Event) bool { return e.Kind == carrier.Answered })
	ringing := slices.IndexFunc(v.Events, func(e carrier.Event) bool { return e.Kind == carrier.Ringing })
	if answered > ringing {
		t.Error("events came in order")
	}
	if v.Events[answered].Sequence <= v.Events[ringing].Sequence {
		t.Errorf("the sequence does not tell the order: %+v", v.Events)
	}
}

func lineLost(t *testing.T, s *suite) {
	s.place(t, "11")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if v.Lines != 2 {
		t.Errorf("%d lines", v.Lines)
	}
	closed := All[carrier.Closed](v)
	// The new line may arrive before the product has read the end of the first one.
	if first := closed[0].Reason; first != carrier.CloseLost && first != carrier.CloseReplaced ||
		closed[1].Reason != carrier.CloseHangup {
		t.Errorf("closed %+v", closed)
	}
	if got := All[carrier.Prompt](v); len(got) < len(s.host.Script) {
		t.Errorf("heard only %s", prompts(v))
	}
}

func silent(t *testing.T, s *suite) {
	call := s.place(t, "12")
	v := s.host.Until(t, call, "what was said to nobody", func(v View) bool {
		_, detected := v.Detected()
		return len(All[carrier.Spoken](v)) == 1 && detected
	})
	if d, _ := v.Detected(); d.AnsweredBy != carrier.Unknown {
		t.Errorf("detected %+v", d)
	}
	if err := v.Open.Hangup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v := s.ends(t, carrier.Completed); prompts(v) != "" {
		t.Errorf("heard %s", prompts(v))
	}
}

func latePickup(t *testing.T, s *suite) {
	s.place(t, "13")
	if v := s.ends(t, carrier.Completed); v.Lines != 1 {
		t.Errorf("%d lines", v.Lines)
	}
}

// tooLatePickup stops ringing before the recipient answers.
func tooLatePickup(t *testing.T, s *suite) {
	s.place(t, "13", func(p *carrier.Placement) { p.RingTimeout = 20 * time.Second })
	if v := s.ends(t, carrier.NoAnswer); v.Lines != 0 || slices.Contains(v.Kinds(), carrier.Answered) {
		t.Errorf("%d lines, events %v", v.Lines, v.Kinds())
	}
}
