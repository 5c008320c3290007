package line

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
)

func TestConversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	if m, err := w.calls.Admit(t.Context(), c.ConnectionID, c.ID); err != nil || m.Language != "en-US" {
		t.Fatalf("admit: %+v, %v", m, err)
	}
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	if u := line.play(t); !strings.Contains(u.text, "Hello Ada") || !strings.Contains(u.text, "Are you satisfied?") {
		t.Fatalf("the agent opens with %q", u.text)
	}
	line.tell(carrier.Prompt{Text: "Yes, very."})
	if u := line.play(t); !strings.Contains(u.text, "goodbye") {
		t.Fatalf("the agent says %q", u.text)
	}
	line.wantHangUp(t)
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})

	w.wantTranscript(c, "agent: Hello Ada", "recipient: Yes, very.", "agent: ")
	got := w.get(c.ID)
	if got.EndedReason != call.ReasonCompleted || got.EndedBy != call.ByAgent || got.Outcome != call.OutcomeCompleted {
		t.Errorf("ended: %s by %s, %s", got.EndedReason, got.EndedBy, got.Outcome)
	}
	if got.Analysis == nil || got.Analysis.Status != conversation.Ready || got.Analysis.Answers["satisfied"] != true ||
		!*got.Analysis.Successful {
		t.Errorf("analysis: %+v", got.Analysis)
	}
	if lines := strings.Split(got.TranscriptText, "\n"); len(lines) != 3 || lines[1] != "Recipient: Yes, very." {
		t.Errorf("transcript text: %q", got.TranscriptText)
	}
	for _, turn := range w.turns(c.ID) {
		if turn.StartMS != nil || turn.EndMS != nil {
			t.Errorf("turn %d has times that nobody reported", turn.Index)
		}
	}
	if settled := w.settle(); len(settled) != 1 {
		t.Errorf("settled %+v", settled)
	}
}

// On the phone, a script gets the same variables as on the page that tries out a script.
func TestVariablesOfALine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.claim.Variables = json.RawMessage(`{"name": "", "clinic": "Acme"}`)
	w.exec(
		`update agent set script = jsonb_set(script::jsonb, '{greeting}',
			'"Hello {{name}}, this is {{agent}}, {{agent_name}} of {{clinic}}, {{title}}. We called {{phone_number}}."')`,
	)
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	if u := line.play(t); !strings.HasPrefix(
		u.text, "Hello Ada, this is Robin, Robin of Acme. We called +12025550199. ",
	) {
		t.Errorf("the agent opens with %q", u.text)
	}
	line.tell(carrier.Prompt{Text: "Yes."})
	line.play(t)
	line.wantHangUp(t)
	wait(t, done, "the line is not let go")
}

// A call follows the version of the agent that its claim chose, whatever the draft says.
func TestTheVersionOfALine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	version := uuid.Must(uuid.NewV7())
	w.exec(`
		insert into agent_version (id, organization_id, agent_id, number, kind, language, speech, script, record_calls,
			sha256, created_by)
		select $1, organization_id, id, 7, kind, 'en-GB', '{"provider": "amazon", "voice": "Amy-Neural"}',
			script || '{"greeting": "Good morning."}', true, '', 'Ada'
		from agent`, version)
	w.claim.AgentVersionID = &version
	c := w.talking("+12025550199")
	w.exec(`update agent set language = 'de-DE', script = script || '{"greeting": "A draft."}'`)
	m, err := w.calls.Admit(t.Context(), c.ConnectionID, c.ID)
	if err != nil || m.Language != "en-GB" || m.Speech.Voice != "Amy-Neural" || !c.Record {
		t.Errorf("%+v, %v, recorded: %t", m, err, c.Record)
	}
	if got := w.get(c.ID).AgentVersion; got == nil || *got != 7 {
		t.Errorf("version %v", got)
	}
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	if u := line.listen(t); !strings.HasPrefix(u.text, "Good morning. ") {
		t.Errorf("the agent opens with %q", u.text)
	}
	line.tell(carrier.Closed{Reason: carrier.CloseRemote})
	wait(t, done, "the line is not let go")
}

// A call screener hears the call reason.
func TestAScreenerHearsTheCallReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	w.exec(`update call set call_reason = 'Appointment reminder'`)
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.listen(t)
	line.tell(carrier.Prompt{Text: "Please say your name and why you are calling."})
	if u := line.listen(t); !strings.HasSuffix(u.text, "for Ada about Appointment reminder.") {
		t.Errorf("the screener hears %q", u.text)
	}
	line.tell(carrier.Closed{Reason: carrier.CloseRemote})
	wait(t, done, "the line is not let go")
}

// The transcript has the words that were played, not the words that were meant to be said. Its
// times are the times that the carrier reports.
func TestInterruptedTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	u := line.listen(t)
	now := time.Now()
	line.tell(
		carrier.Spoken{
			Utterance: u.number, Text: "Hello Ada, this", Cut: carrier.CutRecipient, Confirmed: true,
			Start: now.Add(time.Second), End: now.Add(2 * time.Second),
		},
		carrier.Prompt{Text: "Who is this?", Start: now.Add(2 * time.Second), End: now.Add(3 * time.Second)},
	)
	if u := line.play(t); !strings.Contains(u.text, "automated assistant") {
		t.Errorf("the disclosure that was cut off is not repeated: %q", u.text)
	}
	line.tell(carrier.Closed{Reason: carrier.CloseRemote})
	wait(t, done, "the line is not let go")
	w.wantTranscript(c, "agent: Hello Ada, this /", "recipient: Who is this?", "agent: ")
	turn := w.turns(c.ID)[0]
	if turn.StartMS == nil || turn.EndMS == nil || *turn.EndMS-*turn.StartMS != 1000 {
		t.Errorf("times %v to %v", turn.StartMS, turn.EndMS)
	}
}

// The recipient hangs up. The carrier may report the end before the last words are written.
func TestEndBeforeTheLineIsClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	u := line.listen(t)
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	if settled := w.settle(); len(settled) != 0 {
		t.Fatal("settled before the last words are written")
	}
	line.tell(carrier.Spoken{Utterance: u.number, Text: "Hello Ada", Cut: carrier.CutClosed}, carrier.Closed{
		Reason: carrier.CloseRemote,
	})
	wait(t, done, "the line is not let go")
	got := w.get(c.ID)
	if got.TranscriptText != "Agent: Hello Ada" || got.EndedReason != call.ReasonHungUp ||
		got.EndedBy != call.ByRecipient {
		t.Errorf("%q, %s by %s", got.TranscriptText, got.EndedReason, got.EndedBy)
	}
	if got.Analysis == nil || *got.Analysis.Successful {
		t.Errorf("analysis: %+v", got.Analysis)
	}
	if settled := w.settle(); len(settled) != 1 || settled[0].LineOpen {
		t.Errorf("settled %+v", settled)
	}
}

func TestOptOut(t *testing.T) {
	t.Parallel()
	for name, heard := range map[string]carrier.Heard{
		"digit":  carrier.Digit{Digit: "9"},
		"speech": carrier.Prompt{Text: "Stop calling me."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.talking("+12025550199")
			line := newPhoneLine()
			done := w.lines.converseInBackground(c, line)
			line.play(t)
			line.tell(heard)
			u := line.listen(t) // the confirmation follows the write of the opt-out
			var listed int
			err := w.db.Pool.QueryRow(t.Context(), `
				select count(*) from do_not_call
				where organization_id = $1 and phone_number = $2 and call_id = $3`,
				c.OrganizationID, c.PersonNumber, c.ID).Scan(&listed)
			if err != nil || listed != 1 {
				t.Errorf("%d entries on the do-not-call list (%v)", listed, err)
			}
			line.tell(carrier.Spoken{Utterance: u.number, Text: u.text})
			line.wantHangUp(t)
			wait(t, done, "the line is not let go")
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
			// The result "machine" is wrong for a person who opted out.
			w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Machine})
			got := w.get(c.ID)
			if got.EndedReason != call.ReasonOptedOut || got.EndedBy != call.ByAgent ||
				got.Outcome != call.OutcomeCompleted || got.Analysis == nil || !got.Analysis.OptOut {
				t.Errorf("%+v %+v", got, got.Analysis)
			}
		})
	}
}

func TestVoicemail(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		action call.VoicemailAction
		early  bool // detection reports the machine before a line is open
		reason call.Reason
	}{
		"hang up":             {call.HangUp, false, call.ReasonVoicemail},
		"hang up, early":      {call.HangUp, true, call.ReasonVoicemail},
		"leave message":       {call.LeaveMessage, false, call.ReasonVoicemailMessage},
		"leave message early": {call.LeaveMessage, true, call.ReasonVoicemailMessage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.use(w.connected())
			w.claim.VoicemailAction = test.action
			c := w.talking("+12025550199")
			detected := carrier.Event{
				Kind: carrier.Detected, AnsweredBy: carrier.Machine, MessageEnd: test.action == call.LeaveMessage,
			}
			if test.early {
				w.deliver(c, detected)
			}
			line := newPhoneLine()
			done := w.lines.converseInBackground(c, line)
			if !test.early {
				line.listen(t) // the greeting, which is cut off
				w.deliver(c, detected)
			}
			if test.action == call.LeaveMessage {
				if u := line.play(t); !strings.Contains(u.text, "call us back") {
					t.Errorf("the agent says %q", u.text)
				}
			}
			line.wantHangUp(t)
			wait(t, done, "the line is not let go")
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
			if got := w.get(c.ID); got.Outcome != call.OutcomeVoicemail || got.EndedReason != test.reason ||
				got.EndedBy != call.ByAgent {
				t.Errorf("%s, %s by %s", got.Outcome, got.EndedReason, got.EndedBy)
			}
		})
	}
}

// Without detection, the agent hangs up as soon as its message was played.
func TestMessageWithoutDetection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.lines.silence = 10 * time.Millisecond
	w.claim.VoicemailAction = call.LeaveMessage
	w.claim.Detection = carrier.Detection{Mode: carrier.DetectOff}
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	greeting := line.listen(t)
	line.tell(carrier.Spoken{Utterance: greeting.number, Cut: carrier.CutRecipient, Confirmed: true},
		carrier.Prompt{Text: "Please leave a message after the tone."})
	if u := line.play(t); !strings.Contains(u.text, "call us back") {
		t.Errorf("the agent says %q", u.text)
	}
	if !line.isHungUp() {
		t.Error("the agent waits after its message")
	}
	_ = line.Hangup(t.Context())
	wait(t, done, "the line is not let go")
}

// Detection reports a machine after its greeting was taken for an answer: while the agent
// says goodbye, when the call has ended, or when the line has lost its last words.
func TestALateVerdictVoidsAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		during bool // the goodbye
		action call.VoicemailAction
		reason call.Reason
		says   string
	}{
		"during the goodbye":             {true, call.HangUp, call.ReasonVoicemail, ""},
		"during the goodbye, a message":  {true, call.LeaveMessage, call.ReasonVoicemailMessage, "call us back"},
		"after the end":                  {false, call.HangUp, call.ReasonVoicemail, ""},
		"after the end, too late for it": {false, call.LeaveMessage, call.ReasonVoicemail, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.use(w.connected())
			w.claim.VoicemailAction = test.action
			c := w.talking("+12025550199")
			line := newPhoneLine()
			done := w.lines.converseInBackground(c, line)
			line.play(t)
			line.tell(carrier.Prompt{Text: "No, nobody's around."})
			verdict := carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Machine}
			if goodbye := line.listen(t); test.during {
				w.deliver(c, verdict)
				if test.says != "" {
					if u := line.play(t); !strings.Contains(u.text, test.says) {
						t.Errorf("the agent says %q", u.text)
					}
				}
			} else {
				line.tell(carrier.Spoken{Utterance: goodbye.number, Text: goodbye.text})
			}
			line.wantHangUp(t)
			wait(t, done, "the line is not let go")
			w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
			if !test.during {
				if got := w.get(c.ID); got.Outcome != call.OutcomeCompleted || len(got.Analysis.Answers) != 1 {
					t.Fatalf("before the verdict: %s, %+v", got.Outcome, got.Analysis)
				}
				w.deliver(c, verdict)
			}
			got := w.get(c.ID)
			if got.Outcome != call.OutcomeVoicemail || got.EndedReason != test.reason || got.EndedBy != call.ByAgent ||
				got.AnsweredBy != call.Machine {
				t.Errorf("%s, %s by %s, answered by %s", got.Outcome, got.EndedReason, got.EndedBy, got.AnsweredBy)
			}
			a := got.Analysis
			if len(a.Answers) != 0 || *a.Successful || !strings.HasPrefix(a.Summary, "Reached a voicemail") {
				t.Errorf("analysis: %+v", a)
			}
			if settled := w.settle(); len(settled) != 1 || settled[0].Outcome != call.OutcomeVoicemail {
				t.Errorf("settled %+v", settled)
			}
			if got := w.get(c.ID); len(got.Analysis.Answers) != 0 {
				t.Errorf("settled: %+v", got.Analysis)
			}
		})
	}
}

// Times of a call back are understood in the recipient's time zone.
func TestCallBackInTheRecipientsZone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199") // Washington, D.C.
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.tell(carrier.Prompt{Text: "I'm driving, call me tomorrow at four."})
	line.play(t)
	line.wantHangUp(t)
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	got := w.get(c.ID)
	if got.EndedReason != call.ReasonCallBack || got.Analysis.CallBackAt == nil {
		t.Fatalf("%s, %+v", got.EndedReason, got.Analysis)
	}
	if at := time.Time(*got.Analysis.CallBackAt).In(zone); at.Format("15:04") != "16:00" || !at.After(time.Now()) {
		t.Errorf("called back at %v", at)
	}
}

// The newest line wins: the holder of an older line stops without hanging up, and does not reply to
// what it still hears. These words are in the transcript.
func TestNewerLineFencesTheOlder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.instance()
	c := w.talking("+12025550199")
	old, newer := newPhoneLine(), newPhoneLine()
	oldDone := w.lines.converseInBackground(c, old)
	old.play(t)
	old.heardAll()
	newDone := other.converseInBackground(c, newer)
	if u := newer.play(t); !strings.Contains(u.text, "Are you satisfied?") {
		t.Errorf("goes on with %q", u.text)
	}
	old.tell(carrier.Prompt{Text: "Yes, on the old line."})
	wait(t, oldDone, "the old line is not let go")
	select {
	case <-old.hung:
		t.Error("the old holder hung up")
	default:
	}
	newer.tell(carrier.Prompt{Text: "Yes."})
	newer.play(t)
	newer.wantHangUp(t)
	wait(t, newDone, "the line is not let go")
	w.wantTranscript(c, "agent: Hello", "recipient: Yes, on the old line.", "agent: ", "recipient: Yes.", "agent: ")
}

// Two holders that write at the same time never share an index.
func TestTurnsAreNumberedWithoutGaps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	var dones []chan struct{}
	for range 4 {
		line := newPhoneLine()
		dones = append(dones, w.instance().converseInBackground(c, line))
		go func() {
			for u := range line.says {
				line.tell(carrier.Spoken{Utterance: u.number, Text: u.text})
				line.tell(carrier.Prompt{Text: fmt.Sprintf("What? %d", u.number)})
			}
		}()
	}
	for _, done := range dones {
		wait(t, done, "a line is not let go")
	}
	for i, turn := range w.turns(c.ID) {
		if turn.Index != i {
			t.Fatalf("turn %d has index %d", i, turn.Index)
		}
	}
}

// The holder dies, no other process takes over, and the call ends.
func TestServerRestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
	ctx, kill := context.WithCancel(context.Background())
	line := newPhoneLine()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.lines.Converse(ctx, c.ConnectionID, c.ID, line)
	}()
	line.play(t)
	line.heardAll()
	kill()
	wait(t, done, "the line is not let go")

	// The carrier still has the call, so the reconciler hangs up.
	w.network.status = carrier.Report{Phase: carrier.Talking}
	w.db.Advance(silentAfter)
	w.reconcile()
	if hungUp := w.network.hungUp; hungUp != 1 {
		t.Fatalf("hung up %d times", hungUp)
	}
	if _, err := w.calls.Admit(t.Context(), c.ConnectionID, c.ID); !errors.Is(err, carrier.ErrNotAdmitted) {
		t.Errorf("admitted: %v", err)
	}
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	w.db.Advance(lineGrace)
	settled := w.settle()
	if len(settled) != 1 || settled[0].EndedReason != call.ReasonServerRestart {
		t.Fatalf("settled %+v", settled)
	}
	if got := w.get(c.ID); got.EndedReason != call.ReasonServerRestart || got.EndedBy != call.BySystem ||
		!strings.HasPrefix(got.TranscriptText, "Agent: Hello") {
		t.Errorf("%s by %s, %q", got.EndedReason, got.EndedBy, got.TranscriptText)
	}
}

// The holder dies, and the call ends before the reconciler looks it up. The recipient did not hang
// up, and every turn is in the transcript.
func TestServerRestartFoundAtSettlement(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	w.deliver(c, carrier.Event{Kind: carrier.Detected, AnsweredBy: carrier.Human})
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.heardAll()
	line.tell(carrier.Closed{Reason: carrier.CloseLost})
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	w.db.Advance(lineGrace)
	if settled := w.settle(); len(settled) != 1 || settled[0].EndedReason != call.ReasonServerRestart ||
		!settled[0].LineOpen {
		t.Fatalf("settled %+v", settled)
	}
	if got := w.get(c.ID); got.EndedReason != call.ReasonServerRestart {
		t.Errorf("%s by %s", got.EndedReason, got.EndedBy)
	}
}

// A stopping process releases a line when the agent has finished speaking, and loses no words that
// it has heard.
func TestDrain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	u := line.listen(t)
	drained := make(chan error, 1)
	go func() { drained <- w.lines.Drain(context.Background()) }()
	<-w.lines.lines.draining
	line.tell(carrier.Spoken{Utterance: u.number, Text: u.text}, carrier.Prompt{Text: "Hmm, say that again?"})
	line.play(t) // the reply to the recipient
	wait(t, done, "the line is not let go")
	if err := <-drained; err != nil {
		t.Error(err)
	}
	select {
	case <-line.hung:
		t.Error("hung up")
	default:
	}
	refused := newPhoneLine()
	wait(t, w.lines.converseInBackground(c, refused), "a new line is held")

	next := newPhoneLine()
	w.instance().converseInBackground(c, next)
	next.play(t)
	next.tell(carrier.Prompt{Text: "Yes."})
	next.play(t)
	next.wantHangUp(t)
}

func TestEndByHandOnALine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.use(w.connected())
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	line.heardAll()
	if err := w.calls.End(t.Context(), account.System(c.OrganizationID), c.ID); err != nil {
		t.Fatal(err)
	}
	line.wantHangUp(t)
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	if got := w.get(c.ID); got.EndedReason != call.ReasonEndedByUser || got.EndedBy != call.BySystem {
		t.Errorf("%s by %s", got.EndedReason, got.EndedBy)
	}
}

// The agent asks a silent recipient once more.
func TestSilence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.lines.silence = 10 * time.Millisecond
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.play(t)
	if u := line.play(t); !strings.Contains(u.text, "Are you satisfied?") {
		t.Errorf("the agent asks %q", u.text)
	}
	line.play(t) // goodbye
	line.wantHangUp(t)
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	if got := w.get(c.ID); got.EndedReason != call.ReasonSilence || got.EndedBy != call.ByAgent {
		t.Errorf("%s by %s", got.EndedReason, got.EndedBy)
	}
}

func TestMaxDuration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.claim.MaxDuration = time.Second
	c := w.talking("+12025550199")
	line := newPhoneLine()
	done := w.lines.converseInBackground(c, line)
	line.listen(t) // the utterance never ends
	line.wantHangUp(t)
	wait(t, done, "the line is not let go")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	if got := w.get(c.ID); got.EndedReason != call.ReasonMaxDuration || got.EndedBy != call.BySystem {
		t.Errorf("%s by %s", got.EndedReason, got.EndedBy)
	}
}

func TestLineIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.tenant("Other", "+12025550101")
	c := w.talking("+12025550199")
	foreign := newPhoneLine()
	w.lines.Converse(t.Context(), other.ConnectionID, c.ID, foreign)
	foreign.wantHangUp(t)
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	late := newPhoneLine()
	w.lines.Converse(t.Context(), c.ConnectionID, c.ID, late)
	late.wantHangUp(t)
	if len(late.says)+len(foreign.says) != 0 {
		t.Error("somebody was spoken to")
	}
}
