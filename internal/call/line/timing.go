package line

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptrace"
	"sync"
	"time"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
)

// moments are when a request to a model went on, by this process's clock. Zero: not yet.
type moments struct {
	sent     time.Time // the first request left the process
	token    time.Time // the first part of the answer arrived
	part     time.Time // what completed the first words that can be spoken arrived
	finished time.Time // the answer was complete
	hedged   bool      // several connections were asked
}

// stopwatch keeps the moments of a request. Several goroutines use it.
type stopwatch struct {
	mu sync.Mutex
	moments
}

// mark sets a moment that is not set yet.
func (s *stopwatch) mark(which func(*moments) *time.Time, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := which(&s.moments); m.IsZero() {
		*m = at
	}
}

// begins marks the first part of an answer, of the connection whose answer counts.
func (s *stopwatch) begins(at time.Time, hedged bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token, s.hedged = at, hedged
}

func (s *stopwatch) read() moments {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.moments
}

// traced returns a context whose HTTP requests mark when the first of them was written.
func (s *stopwatch) traced(ctx context.Context, now func() time.Time) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				s.mark(func(m *moments) *time.Time { return &m.sent }, now())
			}
		},
	})
}

// awaited is an answer that the recipient waits for, over several requests if the model calls tools. The zero value
// means that the recipient said nothing that waits for an answer.
type awaited struct {
	prompt time.Time // the recipient's words arrived
	first  time.Time // the first request was sent; zero: none was
	after  time.Time // since when the next step is ours: the prompt, or the end of the answer before
	own    time.Duration
}

// timed is the answer of an utterance until it was played.
type timed struct {
	call.Timing
	prompt, sent time.Time
}

// hears notes when words arrived that an answer follows.
func (t *talk) hears(at time.Time) {
	if at.IsZero() {
		at = t.service.now()
	}
	t.awaited = awaited{prompt: at, after: at}
}

// goesOn notes that the model called tools, and that another request follows.
func (a *awaited) goesOn(m moments) {
	if a.prompt.IsZero() || m.sent.IsZero() {
		return
	}
	if a.first.IsZero() {
		a.first = m.sent
	}
	a.own += max(m.sent.Sub(a.after), 0)
	a.after = m.finished
}

// waits notes that a tool began, whose time is not ours.
func (a *awaited) waits(now time.Time) {
	a.own += max(now.Sub(a.after), 0)
	a.after = now
}

// resumes notes the result of a tool.
func (a *awaited) resumes(now time.Time) { a.after = now }

// speaks notes that the first words of an answer were given to the line for an utterance, and counts the parts.
func (t *talk) speaks(utterance int, th *thinking) {
	a, m, sent := t.awaited, th.watch.read(), t.service.now()
	t.awaited = awaited{}
	if a.prompt.IsZero() || m.sent.IsZero() || m.token.IsZero() || m.part.IsZero() {
		return
	}
	ready := m.part
	if t.playedAt.After(ready) { // the words waited for the end of a filler
		ready = t.playedAt
	}
	request, words := max(m.sent.Sub(a.after), 0), max(sent.Sub(ready), 0)
	observe("request", request)
	observe("first_token", m.token.Sub(m.sent))
	observe("first_words", m.part.Sub(m.token))
	observe("sent", words)
	observe("total", sent.Sub(a.prompt))
	byVersion.observe(t.caller.agent, t.caller.version, sent.Sub(a.prompt), m.token.Sub(m.sent))
	first := a.first
	if first.IsZero() {
		first = m.sent
	}
	since := func(at time.Time) int { return int(max(at.Sub(a.prompt), 0).Round(time.Millisecond).Milliseconds()) }
	if t.timings == nil {
		t.timings = map[int]timed{}
	}
	t.timings[utterance] = timed{
		prompt: a.prompt,
		sent:   sent,
		Timing: call.Timing{
			RequestMS:    since(m.sent),
			FirstTokenMS: since(m.token),
			FirstSentMS:  since(sent),
			ToolMS:       since(m.sent) - since(first),
			OwnMS:        int((a.own + request + words).Round(time.Millisecond).Milliseconds()),
			ConnectionID: th.answering(),
			Hedged:       m.hedged,
		},
	}
}

// timing returns how long the answer of an utterance took, or nil.
func (t *talk) timing(h carrier.Spoken) *call.Timing {
	answer, ok := t.timings[h.Utterance]
	delete(t.timings, h.Utterance)
	if !ok {
		return nil
	}
	if !h.Start.IsZero() {
		observe("speaking", max(h.Start.Sub(answer.sent), 0))
		ms := int(max(h.Start.Sub(answer.prompt), 0).Round(time.Millisecond).Milliseconds())
		answer.SpeakingMS = &ms
	}
	return &answer.Timing
}

// encodeTiming returns a timing as it is stored.
func encodeTiming(timing *call.Timing) *string {
	if timing == nil {
		return nil
	}
	text, err := json.Marshal(timing)
	if err != nil {
		panic(fmt.Sprintf("line: a timing cannot be encoded: %v", err)) // only numbers and an ID
	}
	return new(string(text))
}
