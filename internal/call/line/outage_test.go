package line

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
	"github.com/dialwright/dialwright/internal/testwait"
)

// nothingSaid fails if the agent has said something.
func (l *phoneLine) nothingSaid(t *testing.T) {
	t.Helper()
	select {
	case u := <-l.says:
		t.Errorf("the agent says %q", u.text)
	default:
	}
}

// Words heard while the database is unavailable are written in order when it is available again.
// Only then does the agent say the next sentence.
func TestWordsOutliveAnOutage(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(*cable){
		"cut off":         (*cable).cut,
		"frozen":          (*cable).freeze,
		"the answer lost": (*cable).loseAnswer,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			x := w.cabled(w.lines)
			c := w.talking("+12025550199")
			line := newPhoneLine()
			done := w.lines.converseInBackground(c, line)
			line.play(t)
			line.heardAll()

			w.lines.outage.fill = 10 * time.Millisecond
			harm(x)
			line.tell(carrier.Prompt{Text: "Yes, very."})
			if u := line.play(t); u.text != "One moment, please." {
				t.Errorf("the agent says %q", u.text)
			}
			line.tell(carrier.Prompt{Text: "Hello? Is anybody there?"}, carrier.Digit{Digit: "5"})
			line.heardAll()
			line.nothingSaid(t)
			x.restore()
			u := line.listen(t)
			if !strings.Contains(u.text, "goodbye") {
				t.Errorf("the agent says %q", u.text)
			}
			words := []string{
				"agent: Hello Ada", "recipient: Yes, very.", "agent: One moment, please.", "recipient: Hello? Is",
				"system: Pressed 5",
			}
			w.wantTranscript(c, words...)
			line.tell(carrier.Spoken{Utterance: u.number, Text: u.text})
			line.wantHangUp(t)
			wait(t, done, "the line is not let go")
			w.wantTranscript(c, append(words, "agent: ")...)
			w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
			got := w.get(c.ID)
			if got.EndedReason != call.ReasonCompleted || got.Analysis == nil ||
				got.Analysis.Answers["satisfied"] != true {
				t.Errorf("%s, %+v", got.EndedReason, got.Analysis)
			}
			if settled := w.settle(); len(settled) != 1 {
				t.Errorf("settled %+v", settled)
			}
		})
	}
}

// An opt-out key pressed in an outage adds the number to the do-not-call list, before the agent
// confirms the opt-out.
func TestOptOutInAnOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	x := w.cabled(w.lines)
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.heardAll()
	x.cut()
	line.tell(carrier.Prompt{Text: "Well,"}, carrier.Digit{Digit: "9"})
	line.heardAll()
	line.nothingSaid(t)
	if w.listed(c) != 0 {
		t.Error("the number is on the list already")
	}
	x.restore()
	u := line.listen(t)
	if w.listed(c) != 1 || !strings.Contains(u.text, "will not call") {
		t.Errorf("the number is listed %d times when %q is said", w.listed(c), u.text)
	}
	line.tell(carrier.Spoken{Utterance: u.number, Text: u.text})
	line.wantHangUp(t)
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	if got := w.get(c.ID); got.EndedReason != call.ReasonOptedOut || !got.Analysis.OptOut {
		t.Errorf("%s, %+v", got.EndedReason, got.Analysis)
	}
}

func (w *world) listed(c call.Claimed) (n int) {
	w.tb.Helper()
	err := w.db.Pool.QueryRow(w.tb.Context(), `
		select count(*) from do_not_call where organization_id = $1 and phone_number = $2`, c.OrganizationID,
		c.PersonNumber).Scan(&n)
	if err != nil {
		w.tb.Fatal(err)
	}
	return n
}

// The recipient hangs up, or the socket breaks, while one process can't reach the database. Another
// process receives the end of the call. The call is not settled before the first process has
// written the words that it heard.
func TestHangUpInAnOutage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		closed   carrier.CloseReason
		detected carrier.AnsweredBy
		reason   call.Reason
		open     bool
	}{
		"hung up":           {carrier.CloseRemote, carrier.Human, call.ReasonHungUp, false},
		"hung up too early": {carrier.CloseRemote, "", call.ReasonHungUp, false}, // before detection has a result
		"socket lost":       {carrier.CloseLost, carrier.Human, call.ReasonCompleted, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cutOff := w.instance()
			x := w.cabled(cutOff)
			c := w.talking("+12025550199")
			if test.detected != "" {
				w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: test.detected})
			}
			line := newPhoneLine()
			done := cutOff.converseInBackground(c, line)
			line.play(t)
			line.heardAll()
			x.cut()
			line.tell(carrier.Prompt{Text: "Yes, very."}, carrier.Closed{Reason: test.closed})
			wait(t, done, "the line is not let go")
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
			w.db.Advance(lineGrace - 10*time.Second)
			if settled := w.settle(); len(settled) != 0 {
				t.Fatalf("settled before the words are written: %+v", settled)
			}
			x.restore()
			w.awaitTranscript(c, "Recipient: Yes, very.")
			if test.open {
				w.db.Advance(lineGrace)
			}
			settled := w.settle()
			for len(settled) == 0 {
				settled = w.settle()
			}
			if len(settled) != 1 || settled[0].EndedReason != test.reason {
				t.Fatalf("settled %+v", settled)
			}
			got := w.get(c.ID)
			if !strings.HasSuffix(got.TranscriptText, "Recipient: Yes, very.") || got.Analysis == nil ||
				got.Analysis.Answers["satisfied"] != true {
				t.Errorf("%q, %+v", got.TranscriptText, got.Analysis)
			}
		})
	}
}

// The recipient hears the goodbye to the end and hangs up, before the agent may: its end of the call is not on disk
// yet. The call was held to the end all the same, unless the goodbye was cut off.
func TestHangUpAfterTheGoodbyeInAnOutage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cut    carrier.Cut
		reason call.Reason
		by     call.Party
	}{
		"heard":   {carrier.CutNot, call.ReasonSaidGoodbye, call.ByAgent},
		"cut off": {carrier.CutClosed, call.ReasonHungUp, call.ByRecipient},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			brain := w.withModel("sandbox", "")
			cutOff := w.instance()
			x := w.cabled(cutOff)
			c, l := w.talking("+12025550101"), newPhoneLine()
			done := cutOff.converseInBackground(c, l)
			w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
			l.opening(t)
			l.play(t)
			brain.mu.Lock()
			l.tell(carrier.Prompt{Text: "Goodbye."})
			l.heardAll()
			x.cut()
			brain.mu.Unlock()
			bye := l.listen(t)
			text := bye.text
			if test.cut != carrier.CutNot {
				text, _, _ = strings.Cut(text, " ")
			}
			l.tell(
				carrier.Spoken{Utterance: bye.number, Text: text, Cut: test.cut, Confirmed: true},
				carrier.Closed{Reason: carrier.CloseRemote},
			)
			wait(t, done, "the line is not let go")
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
			x.restore()
			w.awaitTranscript(c, "Agent: "+text)
			for len(w.settle()) == 0 {
			}
			got := w.get(c.ID)
			if got.EndedReason != test.reason || got.EndedBy != test.by || got.Outcome != call.OutcomeCompleted {
				t.Errorf("%s, %s by %s after %q", got.Outcome, got.EndedReason, got.EndedBy, text)
			}
		})
	}
}

// awaitTranscript waits until a turn is on disk.
func (w *world) awaitTranscript(c call.Claimed, line string) {
	w.tb.Helper()
	for there := false; !there; {
		err := w.db.Pool.QueryRow(w.tb.Context(), `
			select exists (select from call_turn where call_id = $1 and initcap(role) || ': ' || text = $2)`, c.ID,
			line).Scan(&there)
		if err != nil {
			w.tb.Fatal(err)
		}
	}
}

// Another process takes over the line while the first process still has unsaved words. These words
// are written once, before the words of the second process, and an opt-out takes effect.
func TestWordsOfAFormerHolder(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		harm  func(*cable)
		words carrier.Heard
		want  string
		out   bool
	}{
		"words": {
			(*cable).cut, carrier.Prompt{Text: "What did you say?"}, "recipient: What did you say?", false,
		},
		"frozen": {
			(*cable).freeze, carrier.Prompt{Text: "What did you say?"}, "recipient: What did you say?", false,
		},
		"the answer lost": {
			(*cable).loseAnswer, carrier.Prompt{Text: "What did you say?"}, "recipient: What did you say?", false,
		},
		"an opt-out": {(*cable).cut, carrier.Digit{Digit: "9"}, "system: Pressed 9", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cutOff := w.instance()
			x := w.cabled(cutOff)
			c := w.talking("+12025550199")
			w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
			old, newer := newPhoneLine(), newPhoneLine()
			oldDone := cutOff.converseInBackground(c, old)
			old.play(t)
			old.heardAll()
			test.harm(x)
			old.tell(test.words, carrier.Closed{Reason: carrier.CloseLost})
			wait(t, oldDone, "the old line is not let go")

			newDone := w.lines.converseInBackground(c, newer)
			u := newer.play(t)
			newer.heardAll()
			x.restore()
			w.awaitTranscript(c, strings.Replace(strings.Replace(test.want, "recipient", "Recipient", 1), "system",
				"System", 1))
			want := []string{"agent: Hello", test.want, "agent: " + u.text}
			if test.out {
				newer.tell(carrier.Prompt{Text: "Hello?"})
				newer.wantHangUp(t)
				want = append(want, "recipient: Hello?")
			} else {
				newer.tell(carrier.Prompt{Text: "Yes."})
				newer.play(t)
				newer.wantHangUp(t)
				want = append(want, "recipient: Yes.", "agent: ")
			}
			wait(t, newDone, "the line is not let go")
			w.wantTranscript(c, want...)
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
			deadline := time.Now().Add(testwait.Limit)
			for len(w.settle()) == 0 { // the old holder may still have something to write
				if time.Now().After(deadline) {
					t.Fatal("the call is not settled")
				}
				time.Sleep(time.Millisecond)
			}
			got := w.get(c.ID)
			if n := w.listed(c); (n == 1) != test.out || (got.EndedReason == call.ReasonOptedOut) != test.out ||
				got.Analysis.OptOut != test.out {
				t.Errorf("%d entries on the do-not-call list, %s, %+v", n, got.EndedReason, got.Analysis)
			}
		})
	}
}

// The words that the first process hears after its unsaved words are stored too.
func TestWordsBehindThoseOfAFormerHolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	frozen := w.instance()
	x := w.cabled(frozen)
	c := w.talking("+12025550199")
	old, newer := newPhoneLine(), newPhoneLine()
	oldDone := frozen.converseInBackground(c, old)
	old.play(t)
	old.heardAll()
	x.freeze()
	old.tell(carrier.Prompt{Text: "What did you say?"}, carrier.Prompt{Text: "Hello?"}, carrier.Digit{Digit: "9"})
	w.lines.converseInBackground(c, newer)
	u := newer.play(t)
	newer.heardAll()
	x.restore()
	wait(t, oldDone, "the old line is not let go")
	old.nothingSaid(t)
	w.awaitTranscript(c, "System: Pressed 9")
	w.wantTranscript(c, "agent: Hello", "recipient: What did you say?", "recipient: Hello?", "system: Pressed 9",
		"agent: "+u.text)
	if w.listed(c) != 1 {
		t.Error("the number is not on the list")
	}
}

// The line comes back to a process that can't reach the database. The call ends before the database
// is available.
func TestWordsOnALineThatCouldNotBeOpened(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cutOff := w.instance()
	x := w.cabled(cutOff)
	c := w.talking("+12025550199")
	w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
	first, second := newPhoneLine(), newPhoneLine()
	done := w.lines.converseInBackground(c, first)
	first.play(t)
	first.heardAll()
	first.tell(carrier.Closed{Reason: carrier.CloseLost})
	wait(t, done, "the line is not let go")

	x.cut()
	done = cutOff.converseInBackground(c, second)
	second.tell(carrier.Prompt{Text: "Yes, very."}, carrier.Closed{Reason: carrier.CloseRemote})
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	if settled := w.settle(); len(settled) != 0 {
		t.Fatalf("settled before the words are written: %+v", settled)
	}
	x.restore()
	wait(t, done, "the line is not let go")
	second.nothingSaid(t)
	if settled := w.settle(); len(settled) != 1 || settled[0].EndedReason != call.ReasonHungUp {
		t.Errorf("settled %+v", settled)
	}
	if got := w.get(c.ID); !strings.HasSuffix(got.TranscriptText, "Recipient: Yes, very.") ||
		got.Analysis.Answers["satisfied"] != true {
		t.Errorf("%q, %+v", got.TranscriptText, got.Analysis)
	}
}

// When the database stays unavailable, the call ends. The words that were heard are kept, and
// written when the database is available again.
func TestCallIsGivenUpInALongOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	x := w.cabled(w.lines)
	w.lines.outage.most = 50 * time.Millisecond
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.heardAll()
	x.cut()
	line.tell(carrier.Prompt{Text: "Yes, very."})
	if u := line.play(t); !strings.Contains(u.text, "technical problem") {
		t.Errorf("the agent says %q", u.text)
	}
	line.wantHangUp(t)
	wait(t, done, "the line is not let go")
	line.nothingSaid(t)
	x.restore()
	w.awaitTranscript(c, "Recipient: Yes, very.")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	if got := w.get(c.ID); got.EndedReason != call.ReasonLineFailed || got.EndedBy != call.BySystem {
		t.Errorf("%s by %s", got.EndedReason, got.EndedBy)
	}
	w.wantTranscript(c, "agent: Hello", "recipient: Yes, very.", "agent: Sorry, we have a technical problem")
}

// A process that stops in an outage stops in time, and logs the lost words. A process whose
// database never comes back logs them too.
func TestLostWordsAreCounted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		keep time.Duration
		told string
	}{
		"drain":            {time.Hour, "unavailable during shutdown"},
		"never comes back": {50 * time.Millisecond, "the database stayed unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var log safeBuffer
			w.use(w.instance(func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) }))
			x := w.cabled(w.lines)
			w.lines.outage.keep = test.keep
			c := w.talking("+12025550199")
			line := newPhoneLine()
			done := w.lines.converseInBackground(c, line)
			line.play(t)
			line.heardAll()
			x.cut()
			line.tell(carrier.Prompt{Text: "Yes, very."}, carrier.Digit{Digit: "9"}, carrier.Closed{
				Reason: carrier.CloseRemote,
			})
			wait(t, done, "the line is not let go")
			ctx, cancel := context.WithCancel(t.Context())
			if name == "drain" {
				cancel() // the time limit of Drain has passed
			}
			err := w.lines.Drain(ctx)
			cancel()
			if drained := err == nil; drained != (name != "drain") {
				t.Errorf("drained: %v", err)
			}
			if text := log.String(); !strings.Contains(text, "words=2") || !strings.Contains(text, test.told) {
				t.Errorf("the log says %s", text)
			}
		})
	}
}

type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Uses the production adapter. While people talk, press nine and hang up on the sandbox, the
// database fails again and again. Every word is in a transcript.
func TestSandboxInOutages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phones := w.onSandbox(20)
	x := w.cabled(w.lines)
	w.lines.outage.fill = fillerAfter
	var claims []call.Claim
	for _, to := range []string{
		"+15005000001", "+15005040001", "+15005050001", "+15005060001", "+15005060002", "+15005070001",
		"+15005000002",
	} {
		c := w.claim
		c.PersonNumber = to
		claims = append(claims, c)
	}
	queued, _ := w.queueAll(claims...)
	for _, c := range queued {
		w.place(c)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		for range 8 {
			x.cut()
			time.Sleep(150 * time.Millisecond)
			x.restore()
			time.Sleep(350 * time.Millisecond)
		}
	}()
	<-over
	settled := 0
	for settled < len(queued) {
		settled += len(w.settle())
	}
	for _, dial := range phones.Dials() {
		var said []string
		for _, turn := range dial.Turns {
			switch {
			case turn.Who == sandbox.Recipient && turn.Digit != "":
				said = append(said, "Pressed "+turn.Digit)
			case turn.Who == sandbox.Recipient:
				said = append(said, turn.Text)
			}
		}
		for _, c := range queued {
			if c.PersonNumber != dial.To {
				continue
			}
			var stored []string
			for _, turn := range w.turns(c.ID) {
				if turn.Role != call.Agent {
					stored = append(stored, turn.Text)
				}
			}
			if strings.Join(said, "|") != strings.Join(stored, "|") {
				t.Errorf("%s said %q, and the transcript has %q", dial.To, said, stored)
			}
			if strings.HasPrefix(dial.To, "+1500506") && w.listed(c) != 1 {
				t.Errorf("%s pressed nine, and is not on the list", dial.To)
			}
		}
	}
}
