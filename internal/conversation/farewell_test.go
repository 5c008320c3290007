package conversation

import (
	"testing"
	"time"
)

// A model that says goodbye and does not end the call leaves nobody in silence, and what the person wanted is kept.
func TestCallEndsAfterTheModelsGoodbye(t *testing.T) {
	t.Parallel()
	bare := modelCheckIn()
	bare.Questions = nil
	none := modelCheckIn()
	none.Model.Tools = nil
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.FixedZone("", 3600))
	for name, c := range map[string]struct {
		script Script
		person string
		model  string
		calls  []string
		want   Ending // after a silence; empty: the call goes on
	}{
		"no field": {
			script: bare, person: "Fine, thank you.",
			model: "Good to hear. Goodbye.", want: Completed,
		},
		"open fields": {
			script: modelCheckIn(), person: "No thank you.",
			model: "All right. Have a nice day!", want: SaidGoodbye,
		},
		"name at the end": {
			script: bare, person: "Fine.",
			model: "Thank you for your time. Goodbye, Ada.", want: Completed,
		},
		"goodbye of the person": {script: bare, person: "Goodbye.", model: "All right.", want: SaidGoodbye},
		"wrong number": {
			script: modelCheckIn(), person: "You have the wrong number.", model: "Oh, sorry. Goodbye.",
			want: Ending(WrongPerson),
		},
		"busy": {script: modelCheckIn(), person: "I'm driving.", model: "Drive safely, goodbye.", want: Ending(Busy)},
		"call back": {
			script: modelCheckIn(), person: "Call me tomorrow at 3.",
			model: "Until then. Bye.", want: Ending(CallBack),
		},
		"with a tool": {
			script: bare, person: "Call me tomorrow at 3.", model: "Until then. Bye.",
			calls: []string{"schedule_callback", `{"at":"2026-03-03T15:00"}`}, want: Ending(CallBack),
		},
		"another wish is ended with end_call": {
			script: modelCheckIn(), person: "You have the wrong number.", model: "Sorry. Goodbye.",
			calls: []string{"end_call", `{"reason":"not_interested"}`}, want: Ending(WrongPerson),
		},
		"question":      {script: bare, person: "Fine.", model: "Before I say goodbye, how is the pain?"},
		"other meaning": {script: bare, person: "Fine.", model: "With us you say goodbye to paperwork."},
		"explanation": {
			script: bare, person: "Fine.", model: "I have to go over your latest order. Please have it ready.",
		},
		"asked to leave": {script: none, person: "What was that?", model: "Shall we say goodbye?"},
	} {
		d := newDialog(t, c.script).hear().answers("How are you?").hear()
		d.step(Prompt{Text: c.person, At: at}).answers(c.model, c.calls...).hear()
		if c.want != "" && !d.state.Done() && d.state.Patience() != partingSeconds*time.Second {
			t.Errorf("%s: waits %v", name, d.state.Patience())
		}
		if !d.state.Done() {
			d.step(Silence{})
		}
		if d.state.Ending != c.want || c.want != "" && d.state.Phase != Closing {
			t.Errorf("%s: ended with %q, want %q: %v", name, d.state.Ending, c.want, d.actions)
		}
		if d.state.Ending == Ending(CallBack) && (d.state.CallBackAt == nil || d.state.CallBackAt.UTC().Hour() != 14) {
			t.Errorf("%s: at %v", name, d.state.CallBackAt)
		}
	}
}

// After the model's goodbye, a goodbye of the person ends the call at once, and other words go on with it.
func TestPersonAnswersTheModelsGoodbye(t *testing.T) {
	t.Parallel()
	parted := func() *dialog {
		d := newDialog(t, modelCheckIn()).hear().answers("How are you?").hear()
		return d.step(Prompt{Text: "Fine."}).answers("Good. Goodbye.").hear()
	}
	if d := parted().step(Prompt{Text: "Bye bye."}); !d.has(HangUp{SaidGoodbye}) || d.has(Think{}) {
		t.Errorf("did %v", d.actions)
	}
	d := parted().step(Prompt{Text: "Wait, one question."})
	if !d.has(Think{}) {
		t.Fatalf("did %v", d.actions)
	}
	d.answers("Sure. Which one?").hear()
	if d.step(Silence{}); d.state.Done() || !d.has(Say{Text: "Are you still there?", Interruptible: true}) {
		t.Errorf("after a silence: %v", d.actions)
	}
}

// A person who hangs up after a goodbye has talked to the end. One who did not hear it has not.
func TestPersonHangsUpAfterTheGoodbye(t *testing.T) {
	t.Parallel()
	asked := func() *dialog { return newDialog(t, modelCheckIn()).hear().answers("How are you?").hear() }
	parted := func() *dialog { return asked().step(Prompt{Text: "Fine."}).answers("Good. Goodbye.") }
	for name, c := range map[string]struct {
		d    *dialog
		want Ending
	}{
		"after the model's": {parted().hear(), SaidGoodbye},
		"after their own":   {asked().step(Prompt{Text: "Bye."}), SaidGoodbye},
		"after their own, in the model's": {
			asked().step(Prompt{Text: "Bye."}).answers("Thank you. Bye.").
				step(Interrupted{Given: "Thank you. Bye.", Spoken: "Thank"}), SaidGoodbye,
		},
		"during the model's": {parted().step(Interrupted{Given: "Good. Goodbye.", Spoken: "Good."}), HungUp},
		"after the model's, before its answer is complete": {
			asked().step(Prompt{Text: "Fine."}).step(Interrupted{Given: "Good. Goodbye.", Spoken: "Good. Goodbye."}),
			SaidGoodbye,
		},
		"after a part of an answer": {
			asked().step(Prompt{Text: "Fine."}).step(Interrupted{Given: "Good.", Spoken: "Good."}), HungUp,
		},
		"after a question": {asked(), HungUp},
		"after another question": {
			parted().hear().step(Prompt{Text: "Wait, one question."}).answers("Yes?").hear(), HungUp,
		},
		"while the model answers": {parted().hear().step(Prompt{Text: "Wait, one question."}), HungUp},
	} {
		if c.d.step(Closed{}); c.d.state.Ending != c.want {
			t.Errorf("%s: ended with %q, want %q", name, c.d.state.Ending, c.want)
		}
	}
}

// A model cannot keep a person who wants to leave.
func TestSecondGoodbyeEndsTheCall(t *testing.T) {
	t.Parallel()
	leaving := func() *dialog {
		d := newDialog(t, modelCheckIn()).hear().answers("How are you?").hear()
		return d.step(Prompt{Text: "Goodbye."}).answers("One more thing: do you have pain?").hear()
	}
	if d := leaving().step(Prompt{Text: "Bye."}); !d.has(HangUp{SaidGoodbye}) || d.state.Awaiting() {
		t.Errorf("did %v", d.actions)
	}
	if d := leaving().step(Silence{}); !d.has(HangUp{SaidGoodbye}) {
		t.Errorf("after a silence: %v", d.actions)
	}
	d := leaving().step(Prompt{Text: "Only a little."}).answers("I see. And the other knee?").hear()
	if d.step(Silence{}); d.state.Done() {
		t.Errorf("a person who answered was left: %v", d.actions)
	}
	// What a person wants is forgotten when they talk about something else.
	d = newDialog(t, modelCheckIn()).hear().answers("How are you?").hear().step(Prompt{Text: "I'm driving."})
	d.answers("Only one question: how is the pain?").hear().step(Prompt{Text: "Two, I would say."})
	d.answers("Thanks. Goodbye.").hear().step(Silence{})
	if d.state.Ending != SaidGoodbye || d.state.Intent != "" {
		t.Errorf("ended with %q, intent %q", d.state.Ending, d.state.Intent)
	}
}
