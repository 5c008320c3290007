package conversation

import "testing"

// Who asks whether the agent is a robot is told so, and asked again.
func TestRobot(t *testing.T) {
	t.Parallel()
	script := asking(Question{Expect: YesNo})
	vars := map[string]any{"organization": "Acme"}
	const automated = "I am an automated voice, not a person. This is an automated call from Acme."
	state, _ := Start(script, vars, false)
	for i, want := range []string{
		"say " + automated + " Six seven?", "say " + automated + " Six seven?", "say Pardon? Six seven?",
	} {
		var actions []Action
		if state, actions = Step(state, Prompt{Text: "Are you a robot?"}); told(actions) != want {
			t.Errorf("question %d: %s, want %s", i+1, told(actions), want)
		}
	}
	if _, actions := Step(state, Prompt{Text: "Yes."}); told(actions) != "record true say Bye. hang up completed" {
		t.Errorf("the answer: %s", told(actions))
	}
	// Interrupted before the question, the agent says its greeting and the disclosure too.
	state, _ = Start(script, vars, false)
	state, _ = Step(state, Interrupted{Spoken: "One"})
	if _, actions := Step(state, Prompt{Text: "Is this a recording?"}); told(actions) !=
		"say "+automated+" One two three. Four five. Six seven?" {
		t.Errorf("during the greeting: %s", told(actions))
	}
	// Somebody picks up while the agent waits for voicemail.
	script.VoicemailMessage = "Call back."
	state, _ = Start(script, vars, true)
	state, _ = Step(state, MachineDetected{})
	if _, actions := Step(state, Prompt{Text: "Is this a robot?"}); told(actions) !=
		"say One two three. Four five. Six seven?" {
		t.Errorf("instead of voicemail: %s", told(actions))
	}
}

// An answer may speak of robots.
func TestRobotsInAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ask, heard string }{
		{"What did you buy?", "I know you wonder if this is a robot or what."},
		{"Was it a robot?", "Is it a robot? Yes."},
		{"What do you want to know?", "My son said are you a robot"},
		{"What do you want to know?", "I don't think you are a robot"},
	} {
		q := Question{Key: "q", Ask: c.ask, Expect: Text}
		state, _ := Start(Script{Language: "en", Greeting: "Hi.", Questions: []Question{q}}, nil, false)
		if state, _ = Step(state, Prompt{Text: c.heard}); len(state.Answers) != 1 {
			t.Errorf("%q, %q: no answer", c.ask, c.heard)
		}
	}
	state, _ := Start(asking(Question{Expect: YesNo}), nil, false)
	for heard, want := range map[string]bool{
		"I don't talk, you are a robot": true, "Are you real?": true, "I want to talk to a person": false,
		"I have a robot": false, "": false,
	} {
		if got := state.asksIfRobot(clauses(heard)); got != want {
			t.Errorf("%q: %t", heard, got)
		}
	}
}
