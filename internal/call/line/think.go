package line

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
)

// patience is how long the recipient waits for the first words of a model's answer, from the
// end of their own words, until the agent does something else. The agent says a filler once,
// asks the other endpoint, asks the recipient to repeat, and gives up.
type patience struct{ filler, hedge, sorry, most, stall time.Duration }

var standardPatience = patience{
	filler: 900 * time.Millisecond,
	hedge:  1500 * time.Millisecond,
	sorry:  4 * time.Second,
	most:   8 * time.Second,
	stall:  5 * time.Second, // between two tokens
}

// thinking is a request to the model whose answer is being spoken or awaited.
type thinking struct {
	cancel   context.CancelFunc
	wake     func()
	patience patience
	began    time.Time
	first    bool // the agent speaks first
	notes    int  // the number of the last note that the model knew
	now      func() time.Time
	watch    *stopwatch

	failures []Failure // of the request. Only its race uses them before it ends

	speech carrier.Speech // nil: nothing was said yet
	number int            // of the utterance

	mu      sync.Mutex
	parts   []string // not spoken yet
	thought *conversation.Thought
	failed  bool
	by      uuid.UUID // the connection that answers; nil: none yet
}

// follow begins, replaces or drops the request to the model, as the conversation wants it. The
// request does not wait for the disk. Its words do.
func (t *talk) follow(ctx context.Context, actions []conversation.Action) {
	for _, a := range actions {
		switch a.(type) {
		case conversation.Say: // this is what the recipient hears first
			t.awaited = awaited{}
		case conversation.Think:
			t.think(ctx)
			return
		}
	}
	if !t.state.Awaiting() {
		t.stopThinking()
	}
}

// think asks the model for the next answer.
func (t *talk) think(ctx context.Context) {
	t.stopThinking()
	ctx, cancel := context.WithCancel(ctx)
	th := &thinking{
		cancel:   cancel,
		wake:     func() { t.interrupt.signal(false) },
		patience: t.service.patience,
		began:    t.service.now(),
		first:    t.state.Heard == 0,
		notes:    t.state.Notes,
		now:      t.service.now,
		watch:    &stopwatch{},
	}
	t.thinking = th
	if t.state.Dialog.Rounds <= 1 {
		t.filled, t.sorry = false, false
	}
	if t.minds == nil {
		t.minds = t.service.mindsOf(t.organization, t.state.Script.Model)
	}
	go th.ask(ctx, t.minds, t.state)
}

// stopThinking drops the request to the model. What was spoken of its answer stays.
func (t *talk) stopThinking() {
	th := t.thinking
	if th == nil {
		return
	}
	th.cancel()
	if th.speech != nil {
		_ = th.speech.Abandon() // its only error: the utterance is over
	}
	t.thinking = nil
}

// speakThought gives the words of the model to the line as they come, once the turn before them is on
// disk. It reports whether the conversation has moved on.
func (t *talk) speakThought(ctx context.Context) (bool, error) {
	th := t.thinking
	if th == nil || len(t.replies) > 0 || t.unsaved.any() || !t.partingSince.IsZero() || t.givenUp {
		return false, nil
	}
	// The words wait for the end of what is being said, so that they can be dropped until then.
	if th.speech == nil && t.lastPlayed != t.lastSaid && th.speaks() {
		return false, nil
	}
	parts, thought, failed := th.take()
	for _, part := range parts {
		if th.speech == nil {
			n, speech, err := t.line.Stream(ctx, carrier.SayOptions{})
			if err != nil {
				return false, nil // next reports a closed line
			}
			th.speech, th.number, t.lastSaid = speech, n, n
			t.saysWith(n, th.notes)
		}
		t.give(th.number, t.given[th.number]+part)
		_ = th.speech.Write(part) // its only error: the utterance is over, which its Spoken reports
		t.speaks(th.number, th)
	}
	switch {
	case failed:
		t.stopThinking()
		return true, t.step(ctx, nil, conversation.Unthought{Sorry: t.sorry})
	case thought != nil:
		if th.speech != nil {
			_ = th.speech.Close()
		}
		t.thinking = nil
		t.awaited.goesOn(th.watch.read())
		thought.At = t.atRecipient()
		return true, t.step(ctx, nil, *thought)
	}
	return false, nil
}

// give notes what was given to the line for an utterance.
func (t *talk) give(utterance int, text string) {
	if t.state.Dialog == nil {
		return
	}
	if t.given == nil {
		t.given = map[int]string{}
	}
	t.given[utterance] = text
}

// saysWith notes which notes for the agent the model knew when it answered with an utterance.
func (t *talk) saysWith(utterance, notes int) {
	if notes <= t.notesUsed {
		return
	}
	if t.saying == nil {
		t.saying = map[int]int{}
	}
	t.saying[utterance] = notes
}

// uses returns the number of the last note for the agent that an utterance used for the first time. It is 0 if there
// is none.
func (t *talk) uses(utterance int, played string) int {
	notes := t.saying[utterance]
	delete(t.saying, utterance)
	if played == "" || notes <= t.notesUsed {
		return 0
	}
	t.notesUsed = notes
	return notes
}

// thinkingDue returns when the recipient has waited long enough for the next step, or zero.
func (t *talk) thinkingDue() time.Time {
	th := t.thinking
	if th == nil || th.speech != nil || t.lastPlayed != t.lastSaid || t.state.Phase != conversation.Talking {
		return time.Time{}
	}
	switch {
	case th.first: // nobody waits for an answer yet
	case !t.filled:
		return th.began.Add(th.patience.filler)
	case !t.sorry:
		return th.began.Add(th.patience.sorry)
	}
	return time.Time{}
}

// overdue says something while the model is silent.
func (t *talk) overdue(ctx context.Context) {
	text := t.state.Moment()
	if t.filled {
		t.sorry, text = true, t.state.NotUnderstood()
	}
	t.filled = true
	t.fill(ctx, text)
}

// fill says something that the model does not see.
func (t *talk) fill(ctx context.Context, text string) {
	if n, err := t.line.Say(ctx, text, carrier.SayOptions{}); err == nil {
		t.lastSaid, t.filler = n, n
	}
}

// speaks reports whether there are words to speak.
func (th *thinking) speaks() bool {
	th.mu.Lock()
	defer th.mu.Unlock()
	return len(th.parts) > 0
}

// take returns what is new.
func (th *thinking) take() (parts []string, thought *conversation.Thought, failed bool) {
	th.mu.Lock()
	defer th.mu.Unlock()
	parts, th.parts = th.parts, nil
	return parts, th.thought, th.failed
}

// answers notes which connection answers.
func (th *thinking) answers(connection uuid.UUID) {
	th.mu.Lock()
	defer th.mu.Unlock()
	th.by = connection
}

// answering returns the connection that answers. It is nil while none does, or without a request.
func (th *thinking) answering() uuid.UUID {
	if th == nil {
		return uuid.Nil
	}
	th.mu.Lock()
	defer th.mu.Unlock()
	return th.by
}

func (th *thinking) say(part string) {
	if part == "" {
		return
	}
	th.mu.Lock()
	th.parts = append(th.parts, part)
	th.mu.Unlock()
	th.wake()
}

func (th *thinking) finish(thought *conversation.Thought) {
	th.watch.mark(func(m *moments) *time.Time { return &m.finished }, th.now())
	th.mu.Lock()
	th.thought, th.failed = thought, thought == nil
	th.mu.Unlock()
	th.wake()
}
