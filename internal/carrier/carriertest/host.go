// Package carriertest is the conformance suite of carrier adapters, with the Host that it uses.
package carriertest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/testwait"
)

// Host is a carrier.Host that records what it receives. It admits every call that was not closed,
// and runs a conversation with a fixed script.
type Host struct {
	// Script has the utterances. The host says each utterance after it has heard an answer to the
	// utterance before. Then it says goodbye and hangs up.
	Script []string
	// Streams has the utterances of the script said in parts.
	Streams bool
	// Manner is how calls are held.
	Manner carrier.Manner
	// OnEvent, if set, is called with every event.
	OnEvent func(carrier.Event)
	// OnLine, if set, runs the conversation instead of the script.
	OnLine func(ctx context.Context, callID uuid.UUID, line carrier.Line)
	// Reception is how incoming calls are received; its CallID is set for each.
	Reception carrier.Reception
	// Dial, if set, is where calls are transferred that a line transfers. Cold connects whoever answers.
	Dial carrier.Dial
	Cold bool

	mu     sync.Mutex
	change chan struct{} // closed and replaced at every change
	events map[uuid.UUID][]carrier.Event
	heard  map[uuid.UUID][]carrier.Heard
	lines  map[uuid.UUID]int
	open   map[uuid.UUID]carrier.Line
	closed map[uuid.UUID]bool
	state  map[uuid.UUID]int // number of answered utterances of the script

	sounds    map[uuid.UUID][]carrier.Piece
	tickets   map[uuid.UUID][]string
	received  map[string]carrier.Incoming // by the carrier's ID
	asked     map[string]int              // how often the carrier asked
	ids       map[string]uuid.UUID
	transfers map[uuid.UUID]*Transfer
}

// NewHost makes a host with a script of three questions.
func NewHost() *Host {
	return &Host{
		Script: []string{
			"Hello, this is Clara from the Riverside Clinic, calling about your visit last week. Is this a good " +
				"time to talk for a minute?",
			"On a scale from 1 to 10, how would you rate your visit to the clinic last week?",
			"Would you recommend us to a friend or to somebody in your family?",
		},
		Manner: carrier.Manner{Language: "en-US", Speech: speech.Default(), Trouble: Trouble},
		change: make(chan struct{}),
		events: map[uuid.UUID][]carrier.Event{},
		heard:  map[uuid.UUID][]carrier.Heard{},
		lines:  map[uuid.UUID]int{},
		open:   map[uuid.UUID]carrier.Line{},
		closed: map[uuid.UUID]bool{},
		state:  map[uuid.UUID]int{},

		Reception: carrier.Reception{Action: carrier.OpenLine},
		sounds:    map[uuid.UUID][]carrier.Piece{},
		tickets:   map[uuid.UUID][]string{},
		received:  map[string]carrier.Incoming{},
		asked:     map[string]int{},
		ids:       map[string]uuid.UUID{},
		transfers: map[uuid.UUID]*Transfer{},
	}
}

// Goodbye is the last utterance of the host. The carrier itself says Trouble if no line opens.
const (
	Goodbye = "Thank you for your time. Goodbye."
	Trouble = "Sorry, there is a technical problem. Goodbye."
)

func (h *Host) changed() {
	close(h.change)
	h.change = make(chan struct{})
}

// Receive implements carrier.Host.
func (h *Host) Receive(_ context.Context, in carrier.Incoming) (carrier.Reception, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.changed()
	if _, known := h.ids[in.CarrierCallID]; !known {
		h.ids[in.CarrierCallID] = uuid.Must(uuid.NewV7())
	}
	h.received[in.CarrierCallID] = in
	h.asked[in.CarrierCallID]++
	r := h.Reception
	r.CallID, r.Manner = h.ids[in.CarrierCallID], h.Manner
	return r, nil
}

// Received returns the incoming call with an ID of the carrier, the ID that this host gave it, and how often the
// carrier asked about it.
func (h *Host) Received(carrierCallID string) (in carrier.Incoming, callID uuid.UUID, asked int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.received[carrierCallID], h.ids[carrierCallID], h.asked[carrierCallID]
}

// Deliver implements carrier.Host.
func (h *Host) Deliver(_ context.Context, e carrier.Event) error {
	h.mu.Lock()
	if e.CallID == uuid.Nil {
		id, known := h.ids[e.CarrierCallID]
		if !known { // a caller who hangs up at once may end the call before this host knows it
			h.mu.Unlock()
			return carrier.ErrUnknownCall
		}
		e.CallID = id
	}
	h.events[e.CallID] = append(h.events[e.CallID], e)
	h.changed()
	h.mu.Unlock()
	if h.OnEvent != nil {
		h.OnEvent(e)
	}
	return nil
}

// Admit implements carrier.Host.
func (h *Host) Admit(_ context.Context, _, callID uuid.UUID) (carrier.Manner, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed[callID] {
		return carrier.Manner{}, carrier.ErrNotAdmitted
	}
	return h.Manner, nil
}

// Close makes the host refuse to admit a call from now on.
func (h *Host) Close(callID uuid.UUID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed[callID] = true
}

// Converse implements carrier.Host.
func (h *Host) Converse(ctx context.Context, _, callID uuid.UUID, line carrier.Line) {
	h.mu.Lock()
	h.lines[callID]++
	h.open[callID] = line
	h.changed()
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		if h.open[callID] == line {
			delete(h.open, callID)
		}
		h.changed()
		h.mu.Unlock()
	}()
	if h.OnLine != nil {
		h.OnLine(ctx, callID, line)
		return
	}
	h.hold(ctx, callID, line)
}

// hold runs the script from the current state of the call.
func (h *Host) hold(ctx context.Context, callID uuid.UUID, line carrier.Line) {
	next := func() (text string, last bool) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if n := h.state[callID]; n < len(h.Script) {
			return h.Script[n], false
		}
		return Goodbye, true
	}
	parting := 0 // number of the goodbye utterance
	say := func() {
		text, last := next()
		if n, err := h.say(ctx, line, text, carrier.SayOptions{Uninterruptible: last}); err == nil && last {
			parting = n
		}
	}
	say()
	for {
		heard, err := h.Listen(ctx, callID, line)
		if err != nil {
			return
		}
		switch x := heard.(type) {
		case carrier.Closed:
			return
		case carrier.Spoken:
			if x.Utterance == parting {
				_ = line.Hangup(ctx)
			}
		case carrier.Prompt, carrier.Digit:
			h.mu.Lock()
			h.state[callID]++
			if _, pressed := x.(carrier.Digit); pressed {
				h.state[callID] = len(h.Script)
			}
			h.mu.Unlock()
			if parting == 0 {
				say()
			}
		}
	}
}

// say says a text as a whole or in parts.
func (h *Host) say(ctx context.Context, line carrier.Line, text string, opt carrier.SayOptions) (int, error) {
	if !h.Streams {
		return line.Say(ctx, text, opt)
	}
	n, s, err := line.Stream(ctx, opt)
	if err != nil {
		return 0, err
	}
	for word := range strings.SplitAfterSeq(text, " ") {
		if err := s.Write(word); err != nil {
			return n, nil // the utterance is over, which its Spoken reports
		}
	}
	_ = s.Close() // its error says the same
	return n, nil
}

// Listen calls line.Next and records the result.
func (h *Host) Listen(ctx context.Context, callID uuid.UUID, line carrier.Line) (carrier.Heard, error) {
	heard, err := line.Next(ctx)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard[callID] = append(h.heard[callID], heard)
	h.changed()
	return heard, nil
}

// View is a snapshot of what the host knows about one call.
type View struct {
	Events []carrier.Event
	Heard  []carrier.Heard
	// Transfer is what happened of the call's transfer.
	Transfer Transfer
	Lines    int          // opened so far
	Open     carrier.Line // the open line, if any

	Sound   []carrier.Piece // that came for whoever listens in
	Tickets []string        // with which it came
}

// View returns what the host knows about a call now.
func (h *Host) View(callID uuid.UUID) View {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.view(callID)
}

func (h *Host) view(callID uuid.UUID) View {
	transfer := Transfer{}
	if t := h.transfers[callID]; t != nil {
		transfer = *t
	}
	return View{
		Transfer: transfer,
		Events:   append([]carrier.Event(nil), h.events[callID]...),
		Heard:    append([]carrier.Heard(nil), h.heard[callID]...),
		Lines:    h.lines[callID],
		Open:     h.open[callID],
		Sound:    append([]carrier.Piece(nil), h.sounds[callID]...),
		Tickets:  append([]string(nil), h.tickets[callID]...),
	}
}

// Until waits until wanted returns true for a call.
func (h *Host) Until(t *testing.T, callID uuid.UUID, what string, wanted func(View) bool) View {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testwait.Limit)
	defer cancel()
	for {
		h.mu.Lock()
		v, change := h.view(callID), h.change
		h.mu.Unlock()
		if wanted(v) {
			return v
		}
		select {
		case <-change:
		case <-ctx.Done():
			t.Fatalf("waited in vain for %s; events %+v; heard %+v", what, v.Events, v.Heard)
		}
	}
}

// Kinds returns the distinct kinds of a call's events, in the order of arrival.
func (v View) Kinds() []carrier.EventKind {
	var kinds []carrier.EventKind
	seen := map[carrier.EventKind]bool{}
	for _, e := range v.Events {
		if !seen[e.Kind] {
			seen[e.Kind] = true
			kinds = append(kinds, e.Kind)
		}
	}
	return kinds
}

// Ended returns the Ended event of the call, if it has arrived.
func (v View) Ended() (carrier.Event, bool) {
	for _, e := range v.Events {
		if e.Kind == carrier.Ended {
			return e, true
		}
	}
	return carrier.Event{}, false
}

// Detected returns the result of machine detection, if it has arrived.
func (v View) Detected() (carrier.Event, bool) {
	for _, e := range v.Events {
		if e.Kind == carrier.Detected {
			return e, true
		}
	}
	return carrier.Event{}, false
}

// All returns all Heard values of one type.
func All[T carrier.Heard](v View) []T {
	var out []T
	for _, h := range v.Heard {
		if x, ok := h.(T); ok {
			out = append(out, x)
		}
	}
	return out
}

var errTest = errors.New("carriertest: refused for the test")
