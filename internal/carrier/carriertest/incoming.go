package carriertest

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/testwait"
)

// This file tests calls that people make to a number of the connection.

// callIn opens the network and lets somebody call. It returns the host's ID of the call, once the carrier has asked.
func (s *suite) callIn(t *testing.T, from, caller string) uuid.UUID {
	t.Helper()
	s.Network = s.open(t, s.host)
	s.before = time.Now()
	s.sid = s.CallIn(from, caller)
	s.placement = carrier.Placement{From: from, To: Owned}
	for deadline := time.Now().Add(testwait.Limit); ; time.Sleep(5 * time.Millisecond) {
		in, id, asked := s.host.Received(s.sid)
		if asked > 0 {
			if in.From != from || in.To != Owned || in.ConnectionID == uuid.Nil || in.At.IsZero() {
				t.Errorf("incoming %+v", in)
			}
			if full := carrier.FullAttestation; (in.Attestation == full) != (from != "") {
				t.Errorf("attestation %q of a call from %q", in.Attestation, from)
			}
			s.placement.CallID = id
			return id
		}
		if time.Now().After(deadline) {
			t.Fatal("the carrier did not ask what to do with a call")
		}
	}
}

// incoming checks a call that is answered with a line and talks to the end.
func incoming(from, caller string) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		s.callIn(t, from, caller)
		v := s.ends(t, carrier.Completed)
		accounted(t, v)
		if v.Lines == 0 || len(All[carrier.Prompt](v)) < len(s.host.Script) {
			t.Errorf("%d lines; heard %s", v.Lines, prompts(v))
		}
	}
}

// incomingTwice lets the carrier ask twice at the same time: there is one call.
func incomingTwice(t *testing.T, s *suite) {
	call := s.callIn(t, "+13125550142", "repeated")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if _, id, asked := s.host.Received(s.sid); asked != 2 || id != call || v.Lines != 1 {
		t.Errorf("asked %d times, %d lines", asked, v.Lines)
	}
}

func incomingRejected(t *testing.T, s *suite) {
	s.host.Reception = carrier.Reception{Action: carrier.RejectCall}
	s.callIn(t, "+13125550142", "answers")
	if v := s.ends(t, carrier.NoAnswer); v.Lines != 0 {
		t.Errorf("%d lines", v.Lines)
	}
}

func incomingBusy(t *testing.T, s *suite) {
	s.host.Reception = carrier.Reception{Action: carrier.RejectBusy}
	s.callIn(t, "+13125550142", "answers")
	if v := s.ends(t, carrier.Busy); v.Lines != 0 {
		t.Errorf("%d lines", v.Lines)
	}
}

func incomingHungUp(t *testing.T, s *suite) {
	s.callIn(t, "+13125550142", "hangs_up_at_once")
	if v := s.ends(t, carrier.NoAnswer); v.Lines != 0 {
		t.Errorf("%d lines", v.Lines)
	}
}

func incomingNine(t *testing.T, s *suite) {
	s.callIn(t, "+13125550142", "presses_9")
	v := s.ends(t, carrier.Completed)
	accounted(t, v)
	if keys := All[carrier.Digit](v); len(keys) != 1 || keys[0].Digit != "9" {
		t.Errorf("keys %+v", keys)
	}
}

// incomingUnknown checks that a call to a number that the host does not know is rejected.
func incomingUnknown(t *testing.T, s *suite) {
	host := s.host
	open := s.open
	s.open = func(t *testing.T, _ carrier.Host) Network { return open(t, strangerHost{host}) }
	s.callIn(t, "+13125550142", "answers")
	s.ends(t, carrier.NoAnswer)
}

// strangerHost admits no incoming call.
type strangerHost struct{ *Host }

func (h strangerHost) Receive(ctx context.Context, in carrier.Incoming) (carrier.Reception, error) {
	if _, err := h.Host.Receive(ctx, in); err != nil {
		return carrier.Reception{}, err
	}
	return carrier.Reception{}, carrier.ErrNotAdmitted
}
