package carriertest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
)

// This file tests listening in.

// enough is how many pieces of sound the host hears.
const enough = 250

// Hear implements carrier.Host.
func (h *Host) Hear(ctx context.Context, _, callID uuid.UUID, ticket string, sound carrier.LiveSound) {
	h.mu.Lock()
	h.tickets[callID] = append(h.tickets[callID], ticket)
	h.changed()
	h.mu.Unlock()
	for range enough {
		p, err := sound.Next(ctx)
		if err != nil {
			return
		}
		h.mu.Lock()
		h.sounds[callID] = append(h.sounds[callID], p)
		h.changed()
		h.mu.Unlock()
	}
}

// longSpeech is what the agent says again and again while somebody listens in.
const longSpeech = "I will now read the whole list of our opening hours, of all our clinics, in the order of towns."

// listenedIn expects both sides of a call, and that the call goes on after the host has heard enough.
func listenedIn(t *testing.T, s *suite) {
	const ticket = "TICKET1"
	heard := make(chan struct{})
	s.host.OnLine = func(ctx context.Context, callID uuid.UUID, line carrier.Line) {
		for {
			if _, err := line.Say(ctx, longSpeech, carrier.SayOptions{}); err != nil {
				return
			}
			for spoken := false; !spoken; {
				h, err := s.host.Listen(ctx, callID, line)
				if err != nil {
					return
				}
				_, spoken = h.(carrier.Spoken)
			}
			select {
			case <-heard:
				_ = line.Hangup(ctx)
			default:
			}
		}
	}
	call := s.place(t, "00")
	if err := s.Carrier.Listen(t.Context(), carrier.Listen{
		CallID: call, CarrierCallID: "CA0", Ticket: ticket,
	}); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("no call: %v", err)
	}
	s.host.Until(t, call, "the answer", func(v View) bool { return v.Lines > 0 })
	if err := s.Carrier.Listen(t.Context(), carrier.Listen{
		CallID: call, CarrierCallID: s.sid, Ticket: ticket,
	}); err != nil {
		t.Fatal(err)
	}
	v := s.host.Until(t, call, "the sound", func(v View) bool { return len(v.Sound) == enough })
	if len(v.Tickets) != 1 || v.Tickets[0] != ticket {
		t.Errorf("tickets %v", v.Tickets)
	}
	sides := map[carrier.Side]int{}
	for _, p := range v.Sound {
		sides[p.Side]++
		if len(p.Data) != 160 || p.At%(20*time.Millisecond) != 0 {
			t.Fatalf("%d bytes at %s", len(p.Data), p.At)
		}
	}
	if sides[carrier.AgentSide] < enough/3 || sides[carrier.PersonSide] < enough/3 {
		t.Errorf("heard %v", sides)
	}
	close(heard)
	s.ends(t, carrier.Completed)
	if err := s.Carrier.Listen(t.Context(), carrier.Listen{
		CallID: call, CarrierCallID: s.sid, Ticket: "TICKET2",
	}); !errors.Is(err, carrier.ErrUnknownCall) {
		t.Errorf("after the end: %v", err)
	}
}
