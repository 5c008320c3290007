package line

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/testwait"
)

// phoneLine is a carrier.Line with the test at the far end. The test reads the agent's utterances
// from says, and reports events with tell.
type phoneLine struct {
	cut  []carrier.Heard // what a hang-up of the agent cuts off; guarded by mu
	sid  string
	says chan utterance // each utterance of the agent, when it begins
	hung chan struct{}  // closed when the agent hangs up

	mu      sync.Mutex
	number  int
	heard   []carrier.Heard
	woken   chan struct{}
	ended   bool
	pressed []string
	once    sync.Once
	idle    *sync.Cond // signaled when the holder has processed all events and waits for more
	asking  bool

	languages []string
}

type utterance struct {
	number          int
	text            string
	uninterruptible bool
}

func newPhoneLine() *phoneLine {
	l := &phoneLine{
		sid: "CA001", says: make(chan utterance, 100), hung: make(chan struct{}), woken: make(chan struct{}, 1),
	}
	l.idle = sync.NewCond(&l.mu)
	return l
}

func (l *phoneLine) CarrierCallID() string { return l.sid }

func (l *phoneLine) tell(heard ...carrier.Heard) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	for _, h := range heard {
		_, l.ended = h.(carrier.Closed)
		l.heard = append(l.heard, h)
		l.asking = false
	}
	select {
	case l.woken <- struct{}{}:
	default:
	}
}

func (l *phoneLine) Next(ctx context.Context) (carrier.Heard, error) {
	for {
		l.mu.Lock()
		if len(l.heard) > 0 {
			h := l.heard[0]
			l.heard = l.heard[1:]
			l.mu.Unlock()
			return h, nil
		}
		ended := l.ended
		l.asking = true
		l.idle.Broadcast()
		l.mu.Unlock()
		if ended {
			return nil, io.EOF
		}
		select {
		case <-l.woken:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (l *phoneLine) Say(_ context.Context, text string, opt carrier.SayOptions) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0, io.ErrClosedPipe
	}
	l.number++
	l.says <- utterance{l.number, text, opt.Uninterruptible}
	return l.number, nil
}

func (l *phoneLine) Stream(_ context.Context, opt carrier.SayOptions) (int, carrier.Speech, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0, nil, io.ErrClosedPipe
	}
	l.number++
	return l.number, &phoneSpeech{line: l, u: utterance{l.number, "", opt.Uninterruptible}}, nil
}

// phoneSpeech is a streamed utterance. The test reads it when its text is complete.
type phoneSpeech struct {
	line *phoneLine
	mu   sync.Mutex
	u    utterance
	over bool
}

func (s *phoneSpeech) Write(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return io.ErrClosedPipe
	}
	s.u.text += text
	return nil
}

func (s *phoneSpeech) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over = true
		s.line.says <- s.u
	}
	return nil
}

func (s *phoneSpeech) Abandon() error { return s.Close() }

func (l *phoneLine) Language(_ context.Context, tag string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.languages = append(l.languages, tag)
	return nil
}

// told are the languages that the line was told to speak.
func (l *phoneLine) told() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.languages)
}

func (l *phoneLine) Flush(context.Context) error { return nil }

func (l *phoneLine) Hangup(context.Context) error {
	l.once.Do(func() { close(l.hung) })
	l.mu.Lock()
	cut := l.cut
	l.mu.Unlock()
	l.tell(append(cut, carrier.Closed{Reason: carrier.CloseHangup})...)
	return nil
}

func (l *phoneLine) Transfer(context.Context) error {
	l.tell(carrier.Closed{Reason: carrier.CloseTransfer})
	return nil
}

// play reports the next utterance as played in full, and returns it.
func (l *phoneLine) play(t *testing.T) utterance {
	t.Helper()
	u := l.listen(t)
	l.tell(carrier.Spoken{Utterance: u.number, Text: u.text, Confirmed: true})
	return u
}

// listen waits for the next utterance.
func (l *phoneLine) listen(t *testing.T) utterance {
	t.Helper()
	select {
	case u := <-l.says:
		return u
	case <-time.After(testwait.Limit):
		t.Fatal("the agent says nothing")
		return utterance{}
	}
}

// heardAll waits until all reported events have been processed.
func (l *phoneLine) heardAll() {
	late := time.AfterFunc(testwait.Limit, func() { panic("the agent never waits for events") })
	defer late.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.asking {
		l.idle.Wait()
	}
}

// isHungUp reports whether the agent hangs up after the events so far, before it waits for more.
func (l *phoneLine) isHungUp() bool {
	late := time.AfterFunc(testwait.Limit, func() { panic("the agent neither hangs up nor waits for events") })
	defer late.Stop()
	for {
		l.mu.Lock()
		ended, asking := l.ended, l.asking
		l.mu.Unlock()
		if ended || asking {
			return ended
		}
		time.Sleep(time.Millisecond)
	}
}

func (l *phoneLine) wantHangUp(t *testing.T) {
	t.Helper()
	select {
	case <-l.hung:
	case <-time.After(testwait.Limit):
		t.Fatal("the agent does not hang up")
	}
}

// talking queues and places a call that is then answered.
func (w *world) talking(to string) call.Claimed {
	w.tb.Helper()
	c := w.queue(to)
	w.place(c)
	w.deliver(c, carrier.Event{Kind: carrier.Answered, CarrierCallID: "CA001"})
	return c
}

// converseInBackground runs a conversation in the background. done is closed when the line is
// released.
func (s *Service) converseInBackground(c call.Claimed, line carrier.Line) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		s.Converse(context.Background(), c.ConnectionID, c.ID, line)
	}()
	return done
}

func wait(t *testing.T, done <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(testwait.Limit):
		t.Fatal(what)
	}
}

func (w *world) wantTranscript(c call.Claimed, want ...string) {
	w.tb.Helper()
	var got []string
	for i, turn := range w.turns(c.ID) {
		if turn.Index != i {
			w.tb.Errorf("turn %d has index %d", i, turn.Index)
		}
		mark := ""
		if turn.Interrupted {
			mark = " /"
		}
		got = append(got, string(turn.Role)+": "+turn.Text+mark)
	}
	if len(got) != len(want) {
		w.tb.Fatalf("transcript %q, want %q", got, want)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			w.tb.Errorf("turn %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func (l *phoneLine) Press(_ context.Context, digits string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return io.ErrClosedPipe
	}
	l.pressed = append(l.pressed, digits)
	return nil
}
