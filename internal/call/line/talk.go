package line

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
)

const (
	// silenceTime is how long nothing may be heard after we have spoken.
	silenceTime = 8 * time.Second
	// touchTime is how often the holder of a line at least shows that it lives;
	// the reconciler misses it after silentAfter.
	touchTime = 20 * time.Second
	// partTime is how long the line may take to close after we hung up.
	partTime = 5 * time.Second
)

// talk is one line and the conversation on it, held by one goroutine.
type talk struct {
	service *Service
	line    carrier.Line
	lineHolder
	organization uuid.UUID
	number       string    // the one called
	answered     time.Time // by this process's clock
	limit        time.Time // when the call is to be ended for its length
	written      time.Time // the last write, which tells others that we live

	state        conversation.State
	first        []conversation.Action // of a conversation that begins here
	resumed      bool
	update       update
	machineKnown bool // the conversation knows that a machine answered

	entries int                   // number of the last entry
	unsaved entry                 // all entries that are not on disk yet
	replies []conversation.Action // what it leads to, done when it is on disk
	outage                        // of the database

	lastSaid, lastPlayed int       // utterances: the last one handed over, the last one accounted for
	quietSince           time.Time // since when nobody speaks
	partingSince         time.Time // when we hung up, or learnt that the call has ended; zero until then
	weHungUp             bool      // it was us who ended the call
	lineEnded            bool      // the line has ended; Closed is still to be heard
	replaced             bool      // another holder has taken the line over

	interrupt    interrupt
	peeked       carrier.Heard // what next returns, when it was looked at already
	unsavedWords atomic.Int32  // words that are unsaved, for others to read
	finished     chan struct{} // closed when nothing is left to write
}

// converse converses until the line is closed, or to be let go.
func (t *talk) converse(ctx context.Context) error {
	stop := t.listenForUpdates()
	defer stop()

	t.quietSince, t.written = t.service.now(), t.service.now()
	if err := t.begin(ctx); err != nil {
		return err
	}
	for {
		if err := t.followUpdate(ctx); err != nil {
			return err
		}
		t.reply(ctx)
		heard, err := t.next(ctx)
		switch {
		case err == nil:
			if closed, ok := heard.(carrier.Closed); ok {
				t.closed(ctx, closed)
				return nil
			}
			err = t.hear(ctx, heard)
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case t.mayHandOver(): // and nothing that was heard is left
			return nil
		case t.parted():
			t.partAnyway(ctx)
			return nil
		default: // something is due, or there is news
			err = t.wait(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// begin says the first words, or goes on where another holder stopped.
func (t *talk) begin(ctx context.Context) error {
	if t.update.Ended { // what was heard on the line is all there is to do
		return nil
	}
	state, actions := t.state, t.first
	switch {
	case t.resumed:
		state, actions = conversation.Resume(t.state)
	case t.update.AnsweredBy == call.Machine: // known before there was a line
		t.machineKnown = true
		state, actions = conversation.Step(t.state, machine)
	}
	return t.turn(ctx, entry{state: &state, script: !t.resumed}, actions)
}

// The carrier was asked to report a machine when its greeting is over, if there
// is a message to be left.
var machine = conversation.MachineDetected{MessageEnd: true}

// next waits for something heard, but not longer than until the next thing is
// due, or until the bell rings.
func (t *talk) next(ctx context.Context) (carrier.Heard, error) {
	if heard := t.peeked; heard != nil {
		t.peeked = nil
		return heard, nil
	}
	ctx, cancel := context.WithTimeout(ctx, t.due().Sub(t.service.now()))
	defer cancel()
	if t.mayHandOver() {
		cancel()
	}
	t.interrupt.arm(cancel)
	return t.line.Next(ctx)
}

// peek takes what has been heard already, without waiting for more.
func (t *talk) peek(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if t.peeked == nil {
		t.peeked, _ = t.line.Next(ctx) // an error is met again by next
	}
}

// due is when something is to be done if nothing is heard.
func (t *talk) due() time.Time {
	due := t.written.Add(touchTime)
	if t.away() {
		due = t.retryAt
	}
	if !t.partingSince.IsZero() {
		if part := t.partingSince.Add(partTime); !t.away() || part.Before(due) {
			due = part
		}
		return due
	}
	if t.limit.Before(due) {
		due = t.limit
	}
	if silent := t.quietSince.Add(t.service.silence); t.silent() && silent.Before(due) {
		due = silent
	}
	return due
}

// silent reports whether it is the recipient's turn to speak.
func (t *talk) silent() bool {
	return t.lastPlayed == t.lastSaid && !t.state.Done() && len(t.replies) == 0
}

// mayHandOver reports whether the line is to be given to another process: this one
// is stopping, nobody is being spoken to, and nothing is left to write.
func (t *talk) mayHandOver() bool {
	return t.service.lines.isDraining() && t.silent() && t.partingSince.IsZero() && !t.unsaved.any()
}

// followUpdate acts on what the call's row says.
func (t *talk) followUpdate(ctx context.Context) error {
	switch {
	case !t.partingSince.IsZero(), t.lineEnded:
		return nil
	case t.update.Ended:
		t.partingSince = t.service.now()
		return nil
	case t.update.HangUp:
		t.hangUp(ctx)
		return nil
	case t.update.AnsweredBy == call.Machine && !t.machineKnown:
		t.machineKnown = true
		return t.step(ctx, nil, machine)
	case (t.state.Done() || t.givenUp) && t.lastPlayed == t.lastSaid && len(t.replies) == 0:
		t.hangUp(ctx) // all is said, and was heard
	}
	return nil
}

func (t *talk) hangUp(ctx context.Context) {
	t.partingSince, t.weHungUp, t.replies = t.service.now(), true, nil
	_ = t.line.Hangup(ctx) // its only error is that the line is closed already
}

// parted reports whether we hung up so long ago that the line should be closed.
func (t *talk) parted() bool {
	return !t.partingSince.IsZero() && t.service.now().Sub(t.partingSince) >= partTime
}

// partAnyway leaves a line that does not close. If the call lives on it will
// come back, and is hung up again.
func (t *talk) partAnyway(ctx context.Context) {
	if !t.update.Ended {
		t.service.log.WarnContext(ctx, "line did not close after the call was hung up", "call", t.id)
		return
	}
	t.closed(ctx, carrier.Closed{Reason: carrier.CloseRemote})
}

// wait does what has become due.
func (t *talk) wait(ctx context.Context) error {
	now := t.service.now()
	switch {
	case t.interrupt.consume():
		return t.save(ctx) // to read what is new
	case t.partingSince.IsZero() && !now.Before(t.limit):
		t.keep(entry{reason: call.ReasonMaxDuration, by: call.BySystem})
		t.hangUp(ctx)
		return t.save(ctx)
	case t.away() && !now.Before(t.retryAt):
		if t.hopeless(now) {
			t.giveUp(ctx)
		}
		return t.save(ctx)
	case !t.partingSince.IsZero():
	case t.silent() && now.Sub(t.quietSince) >= t.service.silence:
		t.quietSince = now
		return t.step(ctx, nil, conversation.Silence{})
	case !t.away() && now.Sub(t.written) >= touchTime:
		return t.save(ctx)
	}
	return nil
}

// hear takes in one thing from the line.
func (t *talk) hear(ctx context.Context, heard carrier.Heard) error {
	t.quietSince = t.service.now()
	switch h := heard.(type) {
	case carrier.Prompt:
		text := conversation.Clean(h.Text)
		if text == "" {
			return nil
		}
		said := call.Turn{Role: call.Recipient, Text: text, StartMS: t.since(h.Start), EndMS: t.since(h.End)}
		return t.step(ctx, []turn{{Turn: said}}, conversation.Prompt{Text: h.Text})
	case carrier.Digit:
		pressed := call.Turn{Role: call.System, Text: "Pressed " + h.Digit}
		return t.step(ctx, []turn{{Turn: pressed}}, conversation.Digit{Digit: h.Digit})
	case carrier.Spoken:
		return t.spoken(ctx, h)
	}
	return nil
}

// spoken writes down what was really played of an utterance.
func (t *talk) spoken(ctx context.Context, h carrier.Spoken) error {
	t.lastPlayed = max(t.lastPlayed, h.Utterance)
	t.lineEnded = h.Cut == carrier.CutClosed
	var turns []turn
	if text := conversation.Clean(h.Text); text != "" {
		turns = []turn{{Turn: call.Turn{
			Role:        call.Agent,
			Text:        text,
			StartMS:     t.since(h.Start),
			EndMS:       t.since(h.End),
			Interrupted: h.Cut != carrier.CutNot,
		}}}
	}
	cut := h.Cut == carrier.CutRecipient || h.Cut == carrier.CutClosed
	if cut && h.Utterance == t.lastSaid && h.Utterance != t.filler && len(t.replies) == 0 {
		return t.step(ctx, turns, conversation.Interrupted{Spoken: h.Text})
	}
	if turns == nil {
		return nil
	}
	return t.turn(ctx, entry{turns: turns}, nil)
}

// since is a moment the carrier reported, in milliseconds of the call.
func (t *talk) since(at time.Time) *int {
	if at.IsZero() {
		return nil
	}
	ms := max(int(at.Sub(t.answered).Milliseconds()), 0)
	return &ms
}

// step lets the conversation take an input: what it leads to is written down,
// then done. What was said before a reply that still waits is no answer to it: to
// the conversation that reply was cut off before its first word.
func (t *talk) step(ctx context.Context, turns []turn, in conversation.Input) error {
	state := t.state
	switch in.(type) {
	case conversation.Prompt, conversation.Digit:
		if len(t.replies) > 0 && !state.Done() {
			state, _ = conversation.Step(state, conversation.Interrupted{})
		}
	}
	state, actions := conversation.Step(state, in)
	return t.turn(ctx, entry{turns: turns, state: &state}, actions)
}

// turn keeps an entry and the actions it leads to, and writes all that is unsaved.
func (t *talk) turn(ctx context.Context, e entry, actions []conversation.Action) error {
	speaks := false
	for _, a := range actions {
		switch a := a.(type) {
		case conversation.HangUp:
			e.reason, e.by = reasonOf(a.Reason)
			speaks = true
		case conversation.OptOut:
			e.optOut = true
		case conversation.Say, conversation.Flush:
			speaks = true
		}
	}
	t.keep(e)
	if speaks && !t.givenUp { // what still waits is not said any more
		t.replies = actions
	}
	return t.save(ctx)
}

// keep adds an entry to what is unsaved.
func (t *talk) keep(e entry) {
	t.entries++
	t.unsaved.add(e, t.entries, t.service.now())
	if e.state != nil {
		t.state = *e.state
	}
	t.unsavedWords.Store(int32(t.unsaved.words()))
}

// reply does what the last turns lead to, once they are on disk. When that took
// long, what was heard meanwhile comes first.
func (t *talk) reply(ctx context.Context) {
	if len(t.replies) == 0 || t.unsaved.any() || !t.partingSince.IsZero() {
		return
	}
	if t.slowWrite {
		if t.peek(ctx); t.peeked != nil {
			return
		}
		t.slowWrite = false
	}
	actions := t.replies
	t.replies = nil
	says, ends := false, false
	for _, a := range actions {
		switch a := a.(type) {
		case conversation.Flush:
			_ = t.line.Flush(ctx) // a closed line is met by next
		case conversation.Say:
			says = true
			if n, err := t.line.Say(ctx, a.Text, carrier.SayOptions{Uninterruptible: !a.Interruptible}); err == nil {
				t.lastSaid = n
			}
		case conversation.HangUp:
			ends = true
		}
	}
	if ends && !says {
		t.hangUp(ctx) // at once: there is nothing to be heard to its end
	}
}

// closed takes leave of a line. If the carrier closed it in order, the call is
// over; else it may come back on another line, for which all is written down.
func (t *talk) closed(ctx context.Context, c carrier.Closed) {
	t.replies = nil
	if c.Reason != carrier.CloseRemote && c.Reason != carrier.CloseHangup {
		t.service.log.InfoContext(ctx, "line connection was lost", "call", t.id, "reason", c.Reason, "detail", c.Detail)
		return
	}
	state, _ := conversation.Step(t.state, conversation.Closed{})
	t.keep(entry{state: &state, closed: true})
}

// reasonOf is why a call ends whose conversation ended so.
func reasonOf(e conversation.Ending) (call.Reason, call.Party) {
	switch e {
	case conversation.Completed:
		return call.ReasonCompleted, call.ByAgent
	case conversation.OptedOut:
		return call.ReasonOptedOut, call.ByAgent
	case conversation.Unanswered:
		return call.ReasonSilence, call.ByAgent
	case conversation.SaidGoodbye:
		return call.ReasonSaidGoodbye, call.ByAgent
	case conversation.TooLong:
		return call.ReasonTurnLimit, call.ByAgent
	case conversation.Voicemail:
		return call.ReasonVoicemail, call.ByAgent
	case conversation.MessageLeft:
		return call.ReasonVoicemailMessage, call.ByAgent
	}
	return call.ReasonHungUp, call.ByRecipient
}

// listenForUpdates rings the bell when another process, or another part of this
// one, has something for the holder of this line.
func (t *talk) listenForUpdates() (stop func()) {
	wake, cancel := t.service.hub.Subscribe(call.LineTopic(t.id))
	done := make(chan struct{})
	go func() {
		draining := t.service.lines.draining
		for {
			select {
			case <-wake:
				t.interrupt.signal(true)
			case <-draining:
				draining = nil
				t.interrupt.signal(false)
			case <-done:
				return
			}
		}
	}()
	return func() {
		cancel()
		close(done)
	}
}

// interrupt interrupts a holder that waits for something to be heard.
type interrupt struct {
	mu      sync.Mutex
	cancel  context.CancelFunc
	pending bool // rung, and not yet looked at
	changed bool // the row has something new
}

func (b *interrupt) signal(news bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending, b.changed = true, b.changed || news
	if b.cancel != nil {
		b.cancel()
	}
}

// arm lets the bell end a wait; at once if it has rung already.
func (b *interrupt) arm(cancel context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cancel = cancel
	if b.pending {
		b.pending = false
		cancel()
	}
}

// consume reports, once, whether the row has something new.
func (b *interrupt) consume() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending = false
	news := b.changed
	b.changed = false
	return news
}
