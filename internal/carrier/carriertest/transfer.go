package carriertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// Transfer is what a host knows about the transfer of a call.
type Transfer struct {
	Proceeded int      // how often the carrier asked what comes next
	Keys      []string // pressed by the person, "" for none
	Taken     bool
	End       *carrier.DialEnd
}

func (h *Host) transfer(callID uuid.UUID) *Transfer {
	if h.transfers[callID] == nil {
		h.transfers[callID] = &Transfer{}
	}
	return h.transfers[callID]
}

// Proceed implements carrier.Host.
func (h *Host) Proceed(_ context.Context, _, callID uuid.UUID) (carrier.Next, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.changed()
	t := h.transfer(callID)
	t.Proceeded++
	dial := h.Dial
	return carrier.Next{Dial: &dial}, nil
}

// Whisper implements carrier.Host.
func (h *Host) Whisper(_ context.Context, _, callID uuid.UUID, p carrier.Pressed) (carrier.Whisper, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.changed()
	t := h.transfer(callID)
	if p.Turn > 0 {
		t.Keys = append(t.Keys, p.Key)
	}
	switch {
	case t.End != nil:
		return carrier.Whisper{Language: "en-US",
			Text: "The caller has hung up.", Then: carrier.HangUpOn}, nil
	case h.Cold, p.Key == "1", t.Taken:
		t.Taken = true
		return carrier.Whisper{Then: carrier.Connect}, nil
	case p.Key == "2", p.Turn > 1:
		return carrier.Whisper{Then: carrier.HangUpOn}, nil
	}
	return carrier.Whisper{
		Language: "en-US",
		Text:     "A call from Anna, who wants to talk to a person. Press 1 to take it, or 2 to decline.",
		Then:     carrier.WaitFor,
	}, nil
}

// Returned implements carrier.Host.
func (h *Host) Returned(_ context.Context, _, callID uuid.UUID, e carrier.DialEnd) (carrier.Next, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.changed()
	t := h.transfer(callID)
	t.End = &e
	if t.Taken || e.Over {
		return carrier.Next{}, carrier.ErrNotAdmitted
	}
	return carrier.Next{Manner: h.Manner, Resume: h.Dial.Pause}, nil
}

const (
	announced = "One moment, please. You are being connected."
	sorry     = "I am sorry, nobody could be reached. Goodbye."
)

// transfers places a call whose line transfers it to a number with the given outcome.
func (s *suite) transfers(t *testing.T, recipient, outcome string, change ...func(*carrier.Placement)) uuid.UUID {
	t.Helper()
	s.host.Dial.Transfer, s.host.Dial.From = 1, From
	s.host.Dial.RingTimeout, s.host.Dial.MaxDuration = 10*time.Second, 5*time.Minute
	if s.host.Dial.To == "" {
		s.host.Dial.To = "+15005" + outcome + "1234"
	}
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		text := announced
		if s.host.View(callID).Transfer.Proceeded > 0 {
			text = sorry
		}
		_, _ = line.Say(ctx, text, carrier.SayOptions{Uninterruptible: true})
		for {
			heard, err := s.host.Listen(ctx, callID, line)
			if err != nil {
				return
			}
			if _, ok := heard.(carrier.Spoken); !ok {
				continue
			}
			if text == sorry {
				_ = line.Hangup(ctx)
			} else {
				_ = line.Transfer(ctx)
			}
		}
	}
	return s.place(t, recipient, change...)
}

// transferred checks a call that somebody takes.
func transferred(outcome, keys string) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		s.transfers(t, "00", outcome)
		s.taken(t, keys)
	}
}

func (s *suite) taken(t *testing.T, keys string) View {
	t.Helper()
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if v.Lines != 1 {
		t.Errorf("%d lines", v.Lines)
	}
	if closed := All[carrier.Closed](v); closed[0].Reason != carrier.CloseTransfer {
		t.Errorf("closed because %+v", closed[0])
	}
	v = s.host.Until(t, s.placement.CallID, "the end of the dial", func(v View) bool { return v.Transfer.End != nil })
	e := v.Transfer.End
	if !v.Transfer.Taken || v.Transfer.Proceeded != 1 || e.Outcome != carrier.Completed || e.Apart || e.Transfer != 1 {
		t.Errorf("transfer %+v, end %+v", v.Transfer, e)
	}
	got := strings.Join(v.Transfer.Keys, "")
	if got != keys && got != keys+keys { // reported twice
		t.Errorf("keys %q, want %q", got, keys)
	}
	return v
}

func transferredToSIP(t *testing.T, s *suite) {
	s.host.Dial.To = "sip:frontdesk@pbx.example.com;transport=tls"
	s.transfers(t, "00", "")
	s.taken(t, "1")
}

func transferredCold(t *testing.T, s *suite) {
	s.host.Cold = true
	s.transfers(t, "00", "71") // whoever answers is connected
	if v := s.taken(t, ""); v.Transfer.End.Over {
		t.Error("the person hung up, not the recipient")
	}
}

// transferFailed checks a call that nobody takes: a line is opened again.
func transferFailed(outcome, keys string, want carrier.Outcome) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		call := s.transfers(t, "00", outcome)
		v := s.ends(t, carrier.Completed)
		accounted(t, v)
		spoken := All[carrier.Spoken](v)
		if v.Lines != 2 || spoken[len(spoken)-1].Text != sorry {
			t.Errorf("%d lines, spoken %+v", v.Lines, spoken)
		}
		e := s.host.View(call).Transfer.End
		if e == nil || e.Outcome != want || !e.Apart || e.Over {
			t.Errorf("end %+v", e)
		}
		if got := strings.Join(v.Transfer.Keys, ""); got != keys || v.Transfer.Taken {
			t.Errorf("transfer %+v", v.Transfer)
		}
	}
}

// transferAbandoned lets the recipient hang up while the person hears who is calling. The person presses 1 later.
func transferAbandoned(t *testing.T, s *suite) {
	call := s.transfers(t, "64", "70")
	v := s.ends(t, carrier.Completed)
	if v.Lines != 1 {
		t.Errorf("%d lines", v.Lines)
	}
	v = s.host.Until(t, call, "the late key", func(v View) bool { return len(v.Transfer.Keys) == 1 })
	if e := v.Transfer.End; e == nil || !e.Over || v.Transfer.Taken {
		t.Errorf("transfer %+v", v.Transfer)
	}
}

func transferredThenHungUp(t *testing.T, s *suite) {
	s.transfers(t, "65", "70")
	if v := s.taken(t, "1"); !v.Transfer.End.Over {
		t.Error("the recipient hung up, not the person")
	}
}

// transferredUnrecorded records the call without the conversation after the transfer.
func transferredUnrecorded(t *testing.T, s *suite) {
	s.host.Dial.Pause = true
	s.transfers(t, "00", "70", func(p *carrier.Placement) { p.Record = true })
	s.taken(t, "1")
}
