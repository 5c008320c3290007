package line

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
)

const (
	// touchTime is the longest time between two writes of a holder. The reconciler considers a
	// holder dead after 60 s without a write.
	touchTime = 20 * time.Second
	// partTime is how long the line may take to close after the agent hung up.
	partTime = 5 * time.Second
)

// talk is one line and the conversation on it. One goroutine runs it.
type talk struct {
	service *Service
	line    carrier.Line
	lineHolder
	organization uuid.UUID
	connection   uuid.UUID
	campaign     *uuid.UUID
	troubled     bool           // earlier lines failed, and this one has not proved yet that it works
	number       string         // of the recipient
	zone         *time.Location // of the recipient; nil: unknown
	answered     time.Time      // by this process's clock
	limit        time.Time      // when the call reaches its maximum duration
	written      time.Time      // time of the last write, which shows other processes that this holder lives

	state   conversation.State
	first   []conversation.Action // of a conversation that begins on this line
	resumed bool
	// untransferred is whether the line was opened because nobody took a transferred call.
	untransferred bool
	update        update
	machineKnown  bool // the conversation knows that a machine answered
	// machine is what the conversation hears when the carrier detected a machine.
	machine conversation.MachineDetected

	entries int                   // number of the last entry
	unsaved entry                 // all entries that are not on disk yet
	replies []conversation.Action // what the agent does when the unsaved entries are on disk
	outage

	lastSaid, lastPlayed int       // the last utterance passed to the line, the last reported utterance
	quietSince           time.Time // since when neither side speaks
	partingSince         time.Time // when the agent hung up or the call turned out to have ended; zero until then
	weHungUp             bool      // the agent ended the call
	lineEnded            bool      // the line has ended; carrier.Closed follows
	replaced             bool      // another holder has taken over the line

	thinking *thinking        // the request to the model whose answer is awaited; nil: none
	filled   bool             // a filler was said since the recipient spoke
	sorry    bool             // the recipient was asked to repeat since then
	minds    []*mind          // the endpoints of the agent's model
	language string           // that the line was told to speak; empty: unknown
	running  map[int]*toolRun // calls of tools that this process carries out, by number
	kit      *toolKit         // carries them out; nil before the first
	caller   caller
	given    map[int]string // the texts given to the line by number, in a conversation that a model holds
	awaited  awaited        // the answer that the recipient waits for
	timings  map[int]timed  // of answers that are being played, by utterance
	playedAt time.Time      // when the last report of playing was processed

	lastNote  *int        // when the last note for the agent came, in ms since the answer; nil: none on this line
	saying    map[int]int // the last note for the agent that the model knew, by utterance that is being played
	notesUsed int         // the last note that the agent spoke with on this line; 0: none

	interrupt    interrupt
	peeked       carrier.Heard // what next returns first
	unsavedWords atomic.Int32  // of recipients, for other goroutines
	finished     chan struct{} // closed when nothing is left to write
}

// converse runs the conversation until the line is closed or handed over.
func (t *talk) converse(ctx context.Context) error {
	stop := t.listenForUpdates()
	defer stop()
	defer t.stopThinking()
	defer t.stopTools()

	t.quietSince, t.written = t.service.now(), t.service.now()
	if err := t.begin(ctx); err != nil {
		return err
	}
	for {
		if err := t.followUpdate(ctx); err != nil {
			return err
		}
		if err := t.followNotes(ctx); err != nil {
			return err
		}
		t.followLanguage(ctx)
		t.reply(ctx)
		if moved, err := t.speakThought(ctx); err != nil {
			return err
		} else if moved {
			continue
		}
		if moved, err := t.runTools(ctx); err != nil {
			return err
		} else if moved {
			continue
		}
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
		case t.mayHandOver(): // all input has been processed
			return nil
		case t.parted():
			t.partAnyway(ctx)
			return nil
		default: // something is due, or the call's row has changed
			err = t.wait(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// begin says the greeting, or continues where another holder stopped.
func (t *talk) begin(ctx context.Context) error {
	if t.update.Ended { // only the input of the line is left to write
		return nil
	}
	state, actions := t.state, t.first
	switch {
	case t.untransferred:
		state, actions = conversation.Step(t.state.At(t.service.now()), conversation.Untransferred{})
	case t.resumed:
		state, actions = conversation.Resume(t.state)
	case t.update.AnsweredBy == call.Machine: // known before the line was opened
		t.machineKnown = true
		state, actions = conversation.Step(t.state, t.machine)
	}
	return t.turn(ctx, entry{state: &state, script: !t.resumed}, actions)
}

// next waits for input from the line. It returns earlier when something is due or on an interrupt.
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

// peek reads input that has already arrived. It does not wait.
func (t *talk) peek(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	if t.peeked == nil {
		t.peeked, _ = t.line.Next(ctx) // next meets the error again
	}
}

// mayHandOver reports whether another process should take the line: this process is
// stopping, neither side speaks, and nothing is left to write.
func (t *talk) mayHandOver() bool {
	return t.service.lines.isDraining() && t.silent() && t.partingSince.IsZero() && !t.unsaved.any()
}

// followUpdate acts on the state of the call's row.
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
		if err := t.step(ctx, nil, t.machine); err != nil {
			return err
		}
	}
	if (t.state.Done() || t.givenUp) && t.lastPlayed == t.lastSaid && len(t.replies) == 0 {
		t.hangUp(ctx) // the recipient has heard everything
	} else if t.state.ToTransfer() && t.lastPlayed == t.lastSaid && len(t.replies) == 0 && !t.unsaved.any() {
		t.transfer(ctx)
	}
	return nil
}

// followNotes passes the notes and take-overs that the conversation does not know yet to it.
func (t *talk) followNotes(ctx context.Context) error {
	if t.update.Notes <= t.state.Notes || !t.state.TakesNotes() || !t.partingSince.IsZero() || t.away() {
		return nil
	}
	reading, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	notes, err := call.NotesAfter(reading, t.service.pool, t.organization, t.id, t.state.Notes)
	if err != nil { // the next write asks again
		t.service.log.WarnContext(ctx, "the notes of a call could not be read", "call", t.id, "error", err)
	}
	t.update.Notes = t.state.Notes
	for _, n := range notes {
		over, script := n.(conversation.TakenOver) // it may add destinations
		if script {
			over.Heard = t.lastPlayed == t.lastSaid && len(t.replies) == 0
			n = over
		}
		state, actions := conversation.Step(t.state.At(t.service.now()), n)
		if err := t.turn(ctx, entry{state: &state, script: script}, actions); err != nil {
			return err
		}
	}
	return nil
}

// followLanguage makes the line speak and hear the language of the conversation. It does not wait for the disk,
// because a holder that takes over after a lost write speaks the language before.
func (t *talk) followLanguage(ctx context.Context) {
	now := t.state.Speaking()
	if !t.state.Multilingual() || t.language == now || !t.partingSince.IsZero() {
		return
	}
	if err := t.line.Language(ctx, now); err == nil { // else next reports a closed line
		t.language = now
	}
}

func (t *talk) hangUp(ctx context.Context) {
	t.stopThinking()
	t.partingSince, t.weHungUp, t.replies = t.service.now(), true, nil
	_ = t.line.Hangup(ctx) // its only error: the line is closed
}

// transfer ends the line. The carrier then asks what comes next, and the answer is on disk.
func (t *talk) transfer(ctx context.Context) {
	t.stopThinking()
	t.partingSince, t.weHungUp = t.service.now(), true
	_ = t.line.Transfer(ctx) // its only error: the line is closed
}

// parted reports whether the agent hung up so long ago that the line should be closed.
func (t *talk) parted() bool {
	return !t.partingSince.IsZero() && t.service.now().Sub(t.partingSince) >= partTime
}

// partAnyway leaves a line that does not close. If the call is still live, the carrier opens
// another line, which is hung up too.
func (t *talk) partAnyway(ctx context.Context) {
	if !t.update.Ended {
		t.service.log.WarnContext(ctx, "line did not close after the call was hung up", "call", t.id)
		return
	}
	t.closed(ctx, carrier.Closed{Reason: carrier.CloseRemote})
}

// step passes an input to the conversation, stores the new state, and then carries out the actions.
// If a reply has not been spoken yet, the input does not answer that reply. For the conversation,
// the reply was interrupted before its first word.
func (t *talk) step(ctx context.Context, turns []turn, in conversation.Input) error {
	state := t.state
	switch in.(type) {
	case conversation.Prompt, conversation.Digit:
		if len(t.replies) > 0 && !state.Done() {
			state, _ = conversation.Step(t.unsaid(state), conversation.Interrupted{})
		}
	}
	state, actions := conversation.Step(state.At(t.service.now()), in)
	return t.turn(ctx, entry{turns: turns, state: &state}, actions)
}

// unsaid tells a dialog that nothing was played of what waits to be spoken, such as the disclosure.
func (t *talk) unsaid(state conversation.State) conversation.State {
	for _, a := range t.replies {
		if say, ok := a.(conversation.Say); ok && state.Dialog != nil {
			state, _ = conversation.Step(state, conversation.Played{Given: say.Text})
		}
	}
	return state
}

// turn adds an entry and its actions, and writes all unsaved entries.
func (t *talk) turn(ctx context.Context, e entry, actions []conversation.Action) error {
	speaks := false
	for _, a := range actions {
		switch a := a.(type) {
		case conversation.HangUp:
			e.reason, e.by = ReasonOf(a.Reason)
			speaks = true
		case conversation.OptOut:
			e.optOut = true
		case conversation.Transfer:
			e.transfer = &a
			e.turns = append(e.turns, turn{Turn: call.Turn{Role: call.System, Text: "Transfer to " + a.Destination}})
			speaks = true
		case conversation.Say, conversation.Flush, conversation.Think, conversation.Press:
			speaks = true
		case conversation.UsedTool:
			e.turns = append(e.turns, turn{Turn: call.Turn{Role: call.System, Text: "Used the tool " + a.Name}})
		case conversation.GaveNote:
			e.notes = a.Number
		case conversation.Note:
			e.turns = append(e.turns, turn{Turn: call.Turn{Role: call.System, Text: a.Text}})
		}
	}
	t.stamp(&e)
	t.keep(e)
	if !t.givenUp && !t.update.Ended {
		t.follow(ctx, actions)
	}
	if speaks && !t.givenUp { // replaces a reply that has not been spoken yet
		t.replies = append(presses(t.replies), actions...)
	}
	return t.save(ctx)
}

// keep adds an entry to the unsaved entries.
func (t *talk) keep(e entry) {
	t.entries++
	e.unsorted = t.overtaken(e.turns)
	t.unsaved.add(e, t.entries, t.service.now())
	if e.state != nil {
		t.state = *e.state
	}
	t.unsavedWords.Store(int32(t.unsaved.words()))
}

// reply carries out the actions that follow from the last turns, once these turns are on disk.
// After a slow write, it first lets the holder process the input that arrived meanwhile.
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
	says, ends, flushes := false, false, false
	for _, a := range actions {
		switch a := a.(type) {
		case conversation.Flush:
			flushes = true
			_ = t.line.Flush(ctx) // next reports a closed line
		case conversation.Say:
			says = true
			if n, err := t.line.Say(ctx, a.Text, carrier.SayOptions{Uninterruptible: !a.Interruptible}); err == nil {
				t.lastSaid = n
				t.give(n, a.Text)
			}
		case conversation.Press:
			_ = t.line.Press(ctx, a.Digits) // next reports a closed line
		case conversation.HangUp:
			ends = true
		}
	}
	if ends && !says && (flushes || t.lastPlayed == t.lastSaid) {
		t.hangUp(ctx) // at once, because nothing that matters is being played
	}
}

// presses returns the keys that are still to be pressed, because the model was told that they are.
func presses(replies []conversation.Action) (kept []conversation.Action) {
	for _, a := range replies {
		if press, ok := a.(conversation.Press); ok {
			kept = append(kept, press)
		}
	}
	return kept
}

// closed ends the conversation on a closed line. If the carrier closed the line in order, the call
// is over. Otherwise the call may return on another line, whose holder continues from the stored
// state. A recipient who has heard the last words and hangs up is not early, even if the agent could not
// hang up first because its end of the call was not on disk.
func (t *talk) closed(ctx context.Context, c carrier.Closed) {
	t.stopThinking()
	t.stopTools()
	heardOut := t.heardOut()
	t.replies = nil
	if c.Reason == carrier.CloseTransfer { // the conversation goes on if nobody takes the call
		t.keep(entry{closed: true})
		return
	}
	if c.Reason != carrier.CloseRemote && c.Reason != carrier.CloseHangup && c.Reason != carrier.CloseFailed {
		t.service.log.InfoContext(ctx, "line connection was lost", "call", t.id, "reason", c.Reason, "detail", c.Detail)
		return
	}
	state, _ := conversation.Step(t.state, conversation.Closed{})
	byOthers := t.weHungUp || c.Reason == carrier.CloseFailed || heardOut // and not by the recipient
	e := entry{state: &state, closed: true, cutShort: t.state.Ending != "" && !byOthers}
	if t.state.Ending == "" && state.Ending != conversation.HungUp {
		e.reason, _ = ReasonOf(state.Ending)
		e.by = call.ByRecipient // who hung up before the agent did
	}
	t.keep(e)
}

// heardOut reports whether all that the agent had to say was played to the end.
func (t *talk) heardOut() bool {
	says := func(a conversation.Action) bool { _, ok := a.(conversation.Say); return ok }
	return t.lastPlayed == t.lastSaid && !t.lineEnded && !slices.ContainsFunc(t.replies, says)
}
