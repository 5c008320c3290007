package carriertest

import (
	"slices"
	"testing"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
)

// This file is what happens when lines fail.

// LineFailures are the events of lines that failed.
func (v View) LineFailures() []carrier.Event {
	return slices.DeleteFunc(slices.Clone(v.Events), func(e carrier.Event) bool { return e.Kind != carrier.LineFailed })
}

// failed checks that the carrier reported the failure of the line once, apologized to the
// recipient and ended the call.
func (s *suite) failed(t *testing.T, code string) View {
	t.Helper()
	v := s.ends(t, carrier.Completed)
	if all := v.LineFailures(); len(all) != 1 || all[0].Code != code || all[0].Detail == "" {
		t.Errorf("failures %+v", all)
	}
	if said := s.CarrierSaid(); !slices.Equal(said, []string{Trouble}) {
		t.Errorf("the carrier said %q", said)
	}
	return v
}

func noLine(outcome, code string) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		s.host.Manner.Speech.Provider, s.host.Manner.Speech.Voice = speech.Amazon, "Joanna-Neural"
		s.place(t, outcome)
		if v := s.failed(t, code); v.Lines != 0 {
			t.Errorf("%d lines", v.Lines)
		}
	}
}

func anotherVoice(t *testing.T, s *suite) {
	s.host.Manner.Speech.Provider, s.host.Manner.Speech.Voice = speech.Amazon, "Joanna-Neural"
	s.place(t, "33")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if v.Lines != 1 || len(v.LineFailures()) != 0 || len(s.CarrierSaid()) != 0 {
		t.Errorf("%d lines, failures %+v, the carrier said %q", v.Lines, v.LineFailures(), s.CarrierSaid())
	}
}

func lineLostForGood(t *testing.T, s *suite) {
	s.place(t, "32")
	v := s.failed(t, "64105")
	if v.Lines < 2 {
		t.Errorf("%d lines", v.Lines)
	}
	closed := All[carrier.Closed](v)
	for i, c := range closed {
		// A new line may arrive before the product has read the end of the last one.
		replaced := c.Reason == carrier.CloseReplaced && i < len(closed)-1
		if c.Reason != carrier.CloseLost && !replaced {
			t.Errorf("closed because %+v", c)
		}
	}
}

// wordsRefused: what the carrier refuses to play was not heard.
func wordsRefused(t *testing.T, s *suite) {
	s.place(t, "34")
	v := s.failed(t, "64107")
	accounted(t, v)
	spoken := All[carrier.Spoken](v)
	if len(spoken) < 3 || spoken[0].Cut != carrier.CutNot {
		t.Fatalf("spoken %+v", spoken)
	}
	for _, s := range spoken[1:] {
		if s.Text != "" || s.Cut != carrier.CutRefused && s.Cut != carrier.CutClosed {
			t.Errorf("spoken %+v", s)
		}
	}
	if c := All[carrier.Closed](v); c[0].Reason != carrier.CloseFailed {
		t.Errorf("closed because %+v", c[0])
	}
}

// noCallbacks: only a lookup tells of the call.
func noCallbacks(t *testing.T, s *suite) {
	call := s.place(t, "35")
	for {
		report, err := s.Carrier.Lookup(t.Context(), s.ref())
		if err != nil {
			t.Fatal(err)
		}
		if report.Phase != carrier.Over {
			continue
		}
		if report.Outcome != carrier.Completed || report.Duration <= 0 {
			t.Errorf("%+v", report)
		}
		break
	}
	if v := s.host.View(call); len(v.Events) != 0 || v.Lines != 0 {
		t.Errorf("%d lines, events %+v", v.Lines, v.Events)
	}
}
