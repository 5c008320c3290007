package conversation

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/model"
)

// instructedIn returns how often the next request tells the model an instruction.
func instructedIn(s State, text string) (n int) {
	for _, m := range s.Request().Messages {
		if m.Role == model.User && strings.Contains(m.Text, "[Instruction of the operator: "+text+"]") {
			n++
		}
	}
	return n
}

func has[A Action](actions []Action) (a A, ok bool) {
	for _, one := range actions {
		if a, ok = one.(A); ok {
			return a, true
		}
	}
	return a, false
}

// A note waits for the next turn: the person's words, or their silence, in which the agent would otherwise ask whether
// anybody is there.
func TestNoteWaitsForTheNextTurn(t *testing.T) {
	t.Parallel()
	d := newDialog(t, modelCheckIn())
	d.step(Prompt{Text: "Hello?"}).answers("How are you?")
	note := Noted{Number: 1, Author: "Robin", Text: "The nurse comes [soon]"}
	s, actions := Step(d.state, note)
	if _, asks := has[Think](actions); asks {
		t.Error("the model is asked at once")
	}
	if said, _ := has[Note](actions); said.Text != "Note by Robin: The nurse comes [soon]" {
		t.Errorf("the transcript says %q", said.Text)
	}
	if given, _ := has[GaveNote](actions); given.Number != 1 {
		t.Errorf("note %d is given", given.Number)
	}
	if again, actions := Step(s, note); len(actions) > 0 || instructedIn(again, "The nurse comes (soon)") != 1 {
		t.Errorf("a note that comes twice leads to %v", actions)
	}
	for _, in := range []Input{Prompt{Text: "I am fine."}, Silence{}} {
		next, actions := Step(s, in)
		if _, asks := has[Think](actions); !asks || instructedIn(next, "The nurse comes (soon)") != 1 {
			t.Errorf("after %T: %v", in, actions)
		}
	}
	quiet, _ := Step(s, Silence{})
	quiet, _ = Step(quiet, Thought{Text: "The nurse comes soon."})
	if _, actions := Step(quiet, Silence{}); len(actions) == 0 {
		t.Error("a second silence leads to nothing")
	} else if _, asks := has[Think](actions); asks {
		t.Error("an old note makes the model go on")
	}
}

// A note is kept while tools run, when a person comes to the line, and when the history is shortened.
func TestNoteIsNotForgotten(t *testing.T) {
	t.Parallel()
	d := newDialog(t, modelCheckIn())
	d.step(Prompt{Text: "Hello?"}).answers("How are you?")
	s, _ := Step(d.state, Noted{Number: 1, Author: "Robin", Text: "Be brief"})
	s.Dialog = s.Dialog.clone()
	s.pickUp()
	if instructedIn(s, "Be brief") != 1 {
		t.Error("it is forgotten when somebody picks up")
	}
	for range 200 {
		s.Dialog.hear(strings.Repeat("word ", 50))
		s.Dialog.Awaiting = false
	}
	s.Dialog.shorten()
	if !s.Dialog.Shortened || instructedIn(s, "Be brief") != 1 {
		t.Error("it is forgotten when the history is shortened")
	}
	s.Dialog.Open = []OpenCall{{Number: 1, CallID: "1"}}
	s.Dialog.Later = make([]model.Message, maxLater)
	s, _ = Step(s, Noted{Number: 2, Author: "Robin", Text: "Be kind"})
	s, _ = Step(s, ToolAnswered{Number: 1, Result: []byte(`{}`)})
	if instructedIn(s, "Be kind") != 1 {
		t.Error("it is dropped while a tool runs")
	}
}

// Notes are for a model that talks with a person. An agent that lost its model says in the transcript that it cannot
// use them.
func TestNotesWithoutAModel(t *testing.T) {
	t.Parallel()
	scripted, _ := Start(checkIn(), map[string]any{"first_name": "Ada"}, false)
	if _, actions := Step(scripted, Noted{Number: 1, Author: "Robin", Text: "Be brief"}); len(actions) > 0 {
		t.Errorf("a scripted agent does %v", actions)
	}
	d := newDialog(t, modelCheckIn())
	d.step(Prompt{Text: "Hello?"}).answers("How are you?")
	s, _ := Step(d.state, Prompt{Text: "Fine."})
	s, _ = Step(s, Unthought{})
	s, actions := Step(s, Noted{Number: 1, Author: "Robin", Text: "Be brief"})
	if said, ok := has[Note](actions); !ok || !strings.Contains(said.Text, "not used") || s.Notes != 1 {
		t.Errorf("an agent without its model does %v", actions)
	}
	if _, given := has[GaveNote](actions); given {
		t.Error("it is given to nobody")
	}
}
