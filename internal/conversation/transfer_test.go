package conversation

import (
	"testing"

	"github.com/google/uuid"
)

// desk is a destination that is always open.
func desk() Destination {
	return Destination{ID: uuid.MustParse("0192f0c1-2a7b-7000-8000-00000000000d"), Name: "Nurse", Mode: "warm"}
}

// transferring is the clinic's call, which transfers whoever has not seen a doctor.
func transferring() Script {
	s := checkIn()
	s.Transfer = &TransferSettings{Destinations: []uuid.UUID{desk().ID}, Known: []Destination{desk()}}
	s.Questions[0].Transfer = &TransferRule{DestinationID: desk().ID, AnswerRule: AnswerRule{Answer: new(false)}}
	return s
}

// After a transfer by a rule that failed, whoever declines the callback is asked the remaining questions.
func TestQuestionsAfterATransferThatFailed(t *testing.T) {
	t.Parallel()
	vars := map[string]any{"first_name": "Ada"}
	for name, declines := range map[string][]Input{
		"in words": {Prompt{Text: "No, thank you."}},
		"by key":   {Digit{Digit: "2"}},
		"silence":  {Silence{}, Silence{}},
		"taken up": {resume{}, Prompt{Text: "No."}},
	} {
		inputs := append([]Input{Prompt{Text: "No, I haven't."}, Untransferred{}}, declines...)
		state, said := play(t, transferring(), vars, false, inputs...)
		if state.Phase != Talking || state.open().Key != "pain" {
			t.Errorf("%s: in phase %s, question %q:\n%s", name, state.Phase, state.open().Key, said)
		}
		inputs = append(inputs, Prompt{Text: "Four."}, Prompt{Text: "A phone call."}, Prompt{Text: "Nothing else."})
		state, said = play(t, transferring(), vars, false, inputs...)
		if state.Ending != Completed || len(state.Answers) != 4 {
			t.Errorf("%s: ends with %q and %v:\n%s", name, state.Ending, state.Answers, said)
		}
	}
	state, said := play(t, transferring(), vars, false, Prompt{Text: "No, I haven't."}, Untransferred{},
		Prompt{Text: "Yes, please."})
	if state.Ending != Ending(CallBack) || !Analyze(state).ByPerson {
		t.Errorf("ends with %q:\n%s", state.Ending, said)
	}
}

// After the last question, none remains.
func TestTransferAfterTheLastQuestion(t *testing.T) {
	t.Parallel()
	script := transferring()
	script.Questions = script.Questions[:1]
	state, said := play(t, script, nil, false, Prompt{Text: "No, I haven't."}, Untransferred{}, Prompt{Text: "No."})
	if state.Ending != Completed || len(state.Answers) != 1 {
		t.Errorf("ends with %q:\n%s", state.Ending, said)
	}
}

// A call that is asked for after the questions went on is the agent's.
func TestCallBacksAfterADeclinedOffer(t *testing.T) {
	t.Parallel()
	state, said := play(t, transferring(), map[string]any{"first_name": "Ada"}, false, Prompt{Text: "No, I haven't."},
		Untransferred{}, Prompt{Text: "No."}, Prompt{Text: "Call me back tomorrow.", At: wednesday})
	if a := Analyze(state); state.Ending != Ending(CallBack) || a.ByPerson || !a.AnyTime {
		t.Errorf("ends with %q, %+v:\n%s", state.Ending, a, said)
	}
}

// After a take-over that failed, whoever declines the callback is asked the remaining questions, too.
func TestQuestionsAfterATakeOverThatFailed(t *testing.T) {
	t.Parallel()
	state, said := play(t, checkIn(), map[string]any{"first_name": "Ada"}, false,
		TakenOver{Number: 1, Author: "Ada Obi", Known: []Destination{desk()}}, Untransferred{}, Prompt{Text: "No."})
	if state.Phase != Talking || state.open().Key != checkIn().Questions[0].Key {
		t.Errorf("in phase %s, question %q:\n%s", state.Phase, state.open().Key, said)
	}
}
