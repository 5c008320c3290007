package conversation

import (
	"slices"
	"strings"
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
	s.Questions[0].Branches = []Branch{{AnswerRule: AnswerRule{Answer: new(false)}, DestinationID: new(desk().ID)}}
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
		const want = "Answered all 4 questions. Was not connected with Nurse. "
		if got := Analyze(state).Summary; !strings.HasPrefix(got, want) {
			t.Errorf("%s: summary %q", name, got)
		}
	}
	state, said := play(t, transferring(), vars, false, Prompt{Text: "No, I haven't."}, Untransferred{},
		Prompt{Text: "Yes, please."})
	if state.Ending != Ending(CallBack) || !Analyze(state).ByPerson {
		t.Errorf("ends with %q:\n%s", state.Ending, said)
	}
	const want = " after answering 1 of 4 questions. Was not connected with Nurse. "
	if got := Analyze(state).Summary; !strings.Contains(got, want) {
		t.Errorf("summary %q", got)
	}
	state, _ = play(t, transferring(), vars, false, Prompt{Text: "No, I haven't."}, Prompt{Text: "Stop calling me."})
	if got := Analyze(state).Summary; strings.Contains(got, "connected") {
		t.Errorf("a transfer that was not tried is in the summary %q", got)
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
	if a := Analyze(state); state.Ending != Ending(CallBack) || a.ByPerson || a.Leeway != WholeDay {
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

// A call that is taken over before the greeting and the disclosure were heard says them before it is transferred, and
// nobody can cut them off.
func TestATakeOverSaysTheDisclosure(t *testing.T) {
	t.Parallel()
	vars := map[string]any{"first_name": "Ada"}
	over := TakenOver{Number: 1, Author: "Ada Obi", Known: []Destination{desk()}}
	heard := over
	heard.Heard = true
	const (
		moment     = "agent! One moment, please. I am connecting you with Nurse."
		disclosure = "This call is recorded. You can press 9 or say stop at any time, and we will not call again. "
		greeting   = "Hello Ada, this is Nora, an automated voice calling for Meridian Home Health. "
	)
	whole := strings.Replace(moment, "One", greeting+disclosure+"One", 1)
	short := strings.Replace(moment, "One", disclosure+"One", 1)
	for name, test := range map[string]struct {
		inputs []Input
		want   string
	}{
		"at once":            {[]Input{over}, whole},
		"interrupted":        {[]Input{Interrupted{Spoken: "Hello"}, over}, whole},
		"cut off later":      {[]Input{Interrupted{Spoken: greeting + "This call is"}, heard}, short},
		"after the greeting": {[]Input{heard}, moment},
		"after an answer":    {[]Input{Prompt{Text: "Yes, I have."}, over}, moment},
	} {
		state, said := play(t, checkIn(), vars, false, test.inputs...)
		if !strings.Contains(said, test.want+"\n") || !state.ToTransfer() {
			t.Errorf("%s: the agent does not say %q:\n%s", name, test.want, said)
		}
		state, said = play(t, checkIn(), vars, false, append(test.inputs, Untransferred{}, Prompt{Text: "No."})...)
		_, after, _ := strings.Cut(said, "connecting")
		if strings.Contains(after, disclosure) || state.Phase != Talking {
			t.Errorf("%s: the disclosure is said again:\n%s", name, said)
		}
	}

	for name, test := range map[string]struct {
		before func(*dialog)
		want   string
	}{
		"a model, at once": {func(*dialog) {}, whole},
		"a model, after the greeting": {func(d *dialog) {
			d.step(Played{Given: strings.TrimSpace(greeting), Text: strings.TrimSpace(greeting)})
		}, short},
		"a model, interrupted": {func(d *dialog) {
			d.step(Interrupted{Given: strings.TrimSpace(greeting), Spoken: "Hello"})
		}, whole},
		"a model, after all": {func(d *dialog) { d.hear() }, moment},
	} {
		d := newDialog(t, modelCheckIn())
		test.before(d)
		d.step(over)
		if got, want := told(d.actions), "say "+strings.TrimPrefix(test.want, "agent! "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if d.step(Untransferred{}); !d.state.disclosed() || d.state.Ungreeted {
			t.Errorf("%s: the disclosure was not made", name)
		}
	}
}

// Of the calls that people want after a model's transfer failed, the one that was offered then is a person's.
func TestWhoMakesTheCallAfterAModelsTransferFailed(t *testing.T) {
	t.Parallel()
	const (
		offer    = "Shall somebody call you back?"
		callBack = `{"at": "2026-03-03T16:00"}`
	)
	script := modelCheckIn()
	script.Transfer = &TransferSettings{Destinations: []uuid.UUID{desk().ID}, Known: []Destination{desk()}}
	begin := func(t *testing.T) *dialog {
		t.Helper()
		return newDialog(t, script).hear().answers("How do you feel?").hear().
			step(Prompt{Text: "I want to speak to a nurse."}).
			answers("", "transfer", `{"destination": "Nurse", "summary": "Ada feels bad."}`).hear().
			step(Untransferred{}).hear().answers(offer).hear()
	}
	for name, row := range map[string]struct {
		talk   func(*dialog)
		person bool
	}{
		"accepted": {func(d *dialog) {
			d.step(Prompt{Text: "Yes, tomorrow at four."}).answers("", "schedule_callback", callBack)
		}, true},
		"accepted, and the first time declined": {func(d *dialog) {
			d.step(Prompt{Text: "Yes."}).answers("Is tomorrow at nine okay?").hear().
				step(Prompt{Text: "No."}).answers("When is better?").hear().
				step(Prompt{Text: "At four."}).answers("", "schedule_callback", callBack)
		}, true},
		"accepted with an answer": {func(d *dialog) {
			d.step(Prompt{Text: "Yes, at four. And my pain is a three."}).
				answers("", "record_answer", `{"key": "pain", "value": 3, "quote": "my pain is a three"}`,
					"schedule_callback", callBack)
		}, true},
		"accepted, and the questions went on": {func(d *dialog) {
			d.step(Prompt{Text: "Yes, tomorrow at four."}).
				answers("How strong is your pain?", "schedule_callback", callBack).hear().
				step(Prompt{Text: "A three."}).
				answers("", "record_answer", `{"key": "pain", "value": 3, "quote": "A three"}`)
		}, true},
		"declined": {func(d *dialog) {
			d.step(Prompt{Text: "No, thank you."}).answers("How strong is your pain?").hear().
				step(Prompt{Text: "I have no time. Call me tomorrow at four."}).
				answers("", "schedule_callback", callBack)
		}, false},
		"forgotten": {func(d *dialog) {
			d.step(Prompt{Text: "My pain is a three."}).
				answers("", "record_answer", `{"key": "pain", "value": 3, "quote": "a three"}`).
				answers("Have you seen a doctor?").hear().
				step(Prompt{Text: "I have no time. Call me tomorrow at four."}).
				answers("", "schedule_callback", callBack)
		}, false},
		"the model fails": {func(d *dialog) {
			d.step(Prompt{Text: "Hm."}).step(Unthought{}).hear().
				step(Prompt{Text: "Call me back tomorrow at four."})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := begin(t)
			row.talk(d)
			if a := Analyze(d.state); a.Intent == nil || *a.Intent != CallBack || a.ByPerson != row.person {
				t.Errorf("%+v, %v:\n%s", a, d.state.Ending, d.said())
			}
		})
	}
}

// Whoever takes over a call names one of several destinations, whose fallbacks may lead back to it.
func TestFallbacksOfADestination(t *testing.T) {
	t.Parallel()
	ids := make([]uuid.UUID, 4)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	known := []Destination{
		{ID: ids[0], FallbackID: &ids[1]}, {ID: ids[1], FallbackID: &ids[0]}, {ID: ids[2], FallbackID: &ids[3]},
	}
	for i, want := range [][]uuid.UUID{{ids[0], ids[1]}, {ids[1], ids[0]}, {ids[2]}, nil} {
		var got []uuid.UUID
		for _, d := range WithFallbacks(known, ids[i]) {
			got = append(got, d.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", i, got, want)
		}
	}
}
