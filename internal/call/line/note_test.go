package line

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
)

const nurse = "Tell her the nurse comes at four"

// person is a member of the world's organization.
func (w *world) person() account.Actor {
	return account.Actor{OrganizationID: w.claim.OrganizationID, Kind: account.ByUser, ID: uuid.New(), Name: "Ada Obi"}
}

// note adds a note at a process that is not the holder of the line.
func (w *world) note(at *Service, c call.Claimed, text string) error {
	w.tb.Helper()
	_, err := at.calls.AddNote(w.tb.Context(), w.db.Pool, w.person(), call.NewNote{CallID: c.ID, Text: text})
	at.calls.WakeLine(c.ID)
	return err
}

// notes returns the texts of a call's notes, in order, with a mark for those that the agent got or spoke with.
func (w *world) notes(c call.Claimed) (all []string) {
	w.tb.Helper()
	list, err := w.reader.Notes(w.tb.Context(), w.claim.OrganizationID, c.ID)
	if err != nil {
		w.tb.Fatal(err)
	}
	for _, n := range list {
		text := n.Author + ": " + n.Text
		switch {
		case n.UsedAt != nil:
			text += " (used)"
		case n.GivenAt != nil:
			text += " (given)"
		}
		all = append(all, text)
	}
	return all
}

// twoProcesses are two processes that wake each other and ask the model of the world.
func (w *world) twoProcesses() (holder, other *Service) {
	holder, other = w.connected(), w.connected()
	w.use(holder)
	return holder, other
}

// A note that another process took is in the transcript at once, and in the agent's next words, once.
func TestNoteIsUsedInTheNextTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	_, other := w.twoProcesses()
	c, l, done := w.answered("+12025550101")
	l.opening(t)
	l.play(t)
	l.heardAll()
	if err := w.note(other, c, nurse); err != nil {
		t.Fatal(err)
	}
	w.awaitTranscript(c, "System: Note by Ada Obi: "+nurse)
	if got := w.notes(c); len(got) != 1 || got[0] != "Ada Obi: "+nurse+" (given)" {
		t.Errorf("notes %q", got)
	}
	l.nothingSaid(t)
	l.tell(carrier.Prompt{Text: "Yes, I do."})
	if u := l.play(t); !strings.HasPrefix(u.text, "The nurse comes at four. ") {
		t.Errorf("the agent says %q", u.text)
	}
	l.wantHangUp(t)
	wait(t, done, "the line is not let go")
	w.wantTranscript(c, "agent: Hello Ada", "agent: I am an automated", "agent: Are you satisfied?",
		"system: Note by Ada Obi: "+nurse, "recipient: Yes, I do.", "system: Used the tool record_answer",
		"system: Used the tool end_call", "agent: The nurse comes at four. Thank you")
	if got := w.notes(c); len(got) != 1 || got[0] != "Ada Obi: "+nurse+" (used)" {
		t.Errorf("notes %q", got)
	}
}

// A note that comes while the agent greets is in the transcript after the greeting, with its time, although the
// greeting is written later. The same goes for what a transfer cuts off.
func TestNotesHaveTheirPlaceInTheTranscript(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	_, other := w.twoProcesses()
	desk := w.destination("Front desk", "+13125550161", "cold", nil)
	c, l, done := w.answered("+12025550101")
	greeting, begun := l.listen(t), time.Now()
	for _, text := range []string{nurse, "Be brief"} {
		if err := w.note(other, c, text); err != nil {
			t.Fatal(err)
		}
		w.awaitTranscript(c, "System: Note by Ada Obi: "+text)
	}
	said := func(u utterance, start time.Time) carrier.Spoken {
		return carrier.Spoken{
			Utterance: u.number, Text: u.text, Confirmed: true, Start: start, End: time.Now(),
		}
	}
	disclosure := l.listen(t)
	between := time.Now()
	l.tell(said(greeting, begun), said(disclosure, between))
	w.awaitTranscript(c, "Agent: "+disclosure.text)
	l.heardAll()
	notes := []string{"system: Note by Ada Obi: " + nurse, "system: Note by Ada Obi: Be brief"}
	w.wantTranscript(c, "agent: Hello Ada", notes[0], notes[1], "agent: I am an automated")
	for i, turn := range w.turns(c.ID) {
		if turn.StartMS == nil || (turn.Role == call.System) != (turn.EndMS == nil) {
			t.Errorf("turn %d has the times %v and %v", i, turn.StartMS, turn.EndMS)
		}
	}

	question, asking := l.listen(t), time.Now()
	if err := w.takeOver(other, c, desk); err != nil {
		t.Fatal(err)
	}
	w.awaitTranscript(c, "System: Transfer to Front desk")
	cut := said(question, asking)
	cut.Cut = carrier.CutFlushed
	l.tell(cut)
	last := l.listen(t)
	l.tell(said(last, time.Now()))
	wait(t, done, "the line is not let go")
	w.wantTranscript(c, "agent: Hello Ada", notes[0], notes[1], "agent: I am an automated",
		"agent: Are you satisfied? /", "system: Transfer requested by Ada Obi", "system: Transfer to Front desk",
		"agent: "+last.text)
}

// The person hangs up before the agent speaks again, or while the agent finishes a sentence that it began without the
// note. The note was not used.
func TestNoteThatTheCallLeavesUnused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	_, other := w.twoProcesses()
	c, l, done := w.answered("+12025550101")
	l.opening(t)
	if err := w.note(other, c, nurse); err != nil {
		t.Fatal(err)
	}
	w.awaitTranscript(c, "System: Note by Ada Obi: "+nurse)
	l.play(t) // the question that was on its way
	l.heardAll()
	w.awaitTranscript(c, "Agent: Are you satisfied?")
	l.tell(carrier.Closed{Reason: carrier.CloseRemote})
	wait(t, done, "the line is not let go")
	if got := w.notes(c); len(got) != 1 || got[0] != "Ada Obi: "+nurse+" (given)" {
		t.Errorf("notes %q", got)
	}
	list, err := w.reader.ListNotes(t.Context(), w.claim.OrganizationID, c.ID, page.Request{})
	if err != nil || len(list.Data) != 1 || list.Data[0].Resource().UsedAt != nil {
		t.Errorf("%+v, %v", list, err)
	}
}

// The holder dies before it reads a note, or after it stored it and before the agent spoke. The process that takes
// over gives the note to the agent, once.
func TestNoteOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string]bool{"before it is read": false, "before the turn": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.withModel("sandbox", "")
			alone := w.lines // no other process wakes it
			if stored {
				alone, _ = w.twoProcesses()
			}
			heir := w.connected()
			c, l, done := w.answered("+12025550101")
			l.opening(t)
			l.play(t)
			l.heardAll()
			if err := w.note(heir, c, nurse); err != nil {
				t.Fatal(err)
			}
			if stored {
				w.awaitTranscript(c, "System: Note by Ada Obi: "+nurse)
			}
			l.tell(carrier.Closed{Reason: carrier.CloseLost})
			wait(t, done, "the line is not let go")
			if got := alone.OpenLines(); got != 0 {
				t.Fatalf("%d lines are open", got)
			}

			l = newPhoneLine()
			done = heir.converseInBackground(c, l)
			l.play(t) // it was interrupted
			first := l.play(t)
			if !stored { // its first words were on their way when it read the note
				l.heardAll()
				w.awaitTranscript(c, "System: Note by Ada Obi: "+nurse)
			}
			l.tell(carrier.Prompt{Text: "Yes, I do."})
			last := l.play(t)
			said := first.text + " " + last.text
			if strings.Count(said, "The nurse comes at four.") != 1 {
				t.Errorf("the agent says %q", said)
			}
			l.leave(t, done)
			if n := strings.Count(transcript(w, c), "Note by"); n != 1 {
				t.Errorf("%d notes in the transcript", n)
			}
		})
	}
}

func transcript(w *world, c call.Claimed) string {
	w.tb.Helper()
	var b strings.Builder
	for _, turn := range w.turns(c.ID) {
		b.WriteString(string(turn.Role) + ": " + turn.Text + "\n")
	}
	return b.String()
}

// Notes and the end of the call come at the same time. Each note is stored or refused, and the call ends.
func TestNotesBesideAHangUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withModel("sandbox", "")
	_, other := w.twoProcesses()
	c, l, done := w.answered("+12025550101")
	l.opening(t)
	l.play(t)
	l.heardAll()
	var group sync.WaitGroup
	results := make([]error, 10)
	for i := range results {
		group.Go(func() { results[i] = w.note(other, c, nurse) })
	}
	var end error
	group.Go(func() { end = other.calls.End(t.Context(), w.person(), c.ID) })
	group.Wait()
	if end != nil {
		t.Fatal(end)
	}
	stored := 0
	for _, err := range results {
		switch {
		case err == nil:
			stored++
		case fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "about to end"):
			t.Error(err)
		}
	}
	if got := len(w.notes(c)); got != stored {
		t.Errorf("%d notes are stored, want %d", got, stored)
	}
	l.wantHangUp(t)
	wait(t, done, "the line is not let go")
}

func TestNotesThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	refused := func(c call.Claimed, text string, kind fault.Kind, words string) {
		t.Helper()
		if err := w.note(w.lines, c, text); fault.KindOf(err) != kind || err == nil ||
			!strings.Contains(err.Error(), words) {
			t.Errorf("a note is refused with %v, want %q", err, words)
		}
	}
	scripted := w.queue("+12025550101")
	refused(scripted, nurse, fault.Conflict, "follows a script")
	w.exec(`delete from call`)
	w.withModel("sandbox", "")
	c, l, done := w.answered("+12025550102")
	l.opening(t)
	l.play(t)
	l.heardAll()
	for text, words := range map[string]string{
		" ": "required", strings.Repeat("a", 501): "at most 500 characters", "two\nlines": "control characters",
	} {
		refused(c, text, fault.Invalid, words)
	}
	_, err := w.calls.AddNote(t.Context(), w.db.Pool, account.Actor{
		OrganizationID: w.tenant("Other", "+12025550188").OrganizationID,
	}, call.NewNote{CallID: c.ID, Text: nurse})
	if fault.KindOf(err) != fault.NotFound || err == nil {
		t.Errorf("another organization's note: %v", err)
	}
	for range 20 {
		if err := w.note(w.lines, c, nurse); err != nil {
			t.Fatal(err)
		}
	}
	refused(c, nurse, fault.Conflict, "at most 20 notes")
	l.leave(t, done)
	w.exec(`update call set notes = 0`)
	refused(c, nurse, fault.Conflict, "saying goodbye")
	w.exec(`update call_line set state = state || '{"phase": "transferring"}'`)
	refused(c, nurse, fault.Conflict, "being transferred")
	w.exec(`update call_line set state = state || '{"phase": "talking", "dialog": {"scripted": true}}'`)
	refused(c, nurse, fault.Conflict, "goes on without its language model")
	w.deliver(c, carrier.Event{Kind: carrier.Ended, Outcome: carrier.Completed})
	refused(c, nurse, fault.Conflict, "already ended")
}
