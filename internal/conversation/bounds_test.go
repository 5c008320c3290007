package conversation

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// asking returns a script with one question, spoken as seven words: three of the
// greeting, two of the disclosure, two of the question.
func asking(q Question) Script {
	q.Key, q.Ask = "q", "Six seven?"
	return Script{
		Language:      "en-US",
		Greeting:      "One two three.",
		Disclosure:    "Four five.",
		Questions:     []Question{q},
		NotUnderstood: "Pardon?",
		Goodbye:       "Bye.",
	}
}

// steps returns the state and the actions after the last input.
func steps(script Script, inputs ...Input) (State, []Action) {
	s, actions := Start(script, nil, true)
	for _, in := range inputs {
		s, actions = Step(s, in)
	}
	return s, actions
}

// told writes actions on one line.
func told(actions []Action) string {
	var b strings.Builder
	for _, a := range actions {
		switch a := a.(type) {
		case Say:
			b.WriteString("say " + a.Text + " ")
		case RecordAnswer:
			fmt.Fprintf(&b, "record %v ", a.Value)
		case HangUp:
			fmt.Fprintf(&b, "hang up %s ", a.Reason)
		}
	}
	return strings.TrimSpace(b.String())
}

func presses(keys string) []Input {
	var inputs []Input
	for _, key := range keys {
		inputs = append(inputs, Digit{string(key)})
	}
	return inputs
}

// A question that was interrupted before its first word was not asked. A disclosure
// that was interrupted before its last word was not made, and a greeting of which less than
// half was heard says nothing.
func TestBoundsOfAnInterruption(t *testing.T) {
	t.Parallel()
	spoken := strings.Fields("One two three. Four five. Six seven?")
	for heard, want := range []string{
		"say One two three. Four five. Six seven?", "say One two three. Four five. Six seven?",
		"say Four five. Six seven?", "say Four five. Six seven?", "say Four five. Six seven?",
		"say Six seven?", "record true say Bye. hang up completed",
		"record true say Bye. hang up completed",
	} {
		cut := Interrupted{Spoken: strings.Join(spoken[:heard], " ")}
		if _, actions := steps(asking(Question{Expect: YesNo}), cut, Prompt{Text: "Yes."}); told(actions) != want {
			t.Errorf("after %d words: %s, want %s", heard, told(actions), want)
		}
	}
	// A question spoken without other text was asked as soon as one word was heard.
	for heard, want := range []string{"say Six seven?", "record true say Bye. hang up completed"} {
		cut := Interrupted{Spoken: strings.Join(strings.Fields("Six seven?")[:heard], " ")}
		script := asking(Question{Expect: YesNo})
		if _, actions := steps(script, Digit{"*"}, cut, Prompt{Text: "Yes."}); told(actions) != want {
			t.Errorf("after %d words of a question alone: %s, want %s", heard, told(actions), want)
		}
	}
}

func TestBoundOfInputs(t *testing.T) {
	t.Parallel()
	nothing := slices.Repeat([]Input{Prompt{Text: ""}}, maxInputs-1)
	s, actions := steps(asking(Question{Expect: YesNo}), nothing...)
	if len(actions) != 0 || s.Phase != Talking {
		t.Fatalf("after %d inputs: %s", len(nothing), told(actions))
	}
	if _, actions := Step(s, Prompt{Text: ""}); told(actions) != "say Bye. hang up limit" {
		t.Errorf("the last input: %s", told(actions))
	}
	if _, actions := Step(s, Prompt{Text: "Yes."}); told(actions) != "record true say Bye. hang up completed" {
		t.Errorf("an answer with the last input: %s", told(actions))
	}
	// A voicemail that never starts recording ends the call after the same number of
	// inputs.
	script := asking(Question{Expect: YesNo})
	script.VoicemailMessage = "Call back."
	waiting := append([]Input{MachineDetected{}}, slices.Repeat([]Input{Prompt{Text: ""}}, maxInputs-2)...)
	s, actions = steps(script, waiting...)
	if len(actions) != 0 || s.Phase != Waiting {
		t.Fatalf("a machine, after %d inputs: %s", len(waiting), told(actions))
	}
	if _, actions := Step(s, Prompt{Text: ""}); told(actions) != "hang up voicemail" {
		t.Errorf("a machine, the last input: %s", told(actions))
	}
}

func TestBoundsOfKeys(t *testing.T) {
	t.Parallel()
	nine, ten := 9.0, 10.0
	done := func(value any) string { return fmt.Sprintf("record %v say Bye. hang up completed", value) }
	const again = "say Pardon? Six seven?"
	options := []string{"Red", "Green"}
	for _, c := range []struct {
		q    Question
		keys string
		want string // the result of the last key
	}{
		{Question{Expect: YesNo}, "0", again},
		{Question{Expect: YesNo}, "1", done(true)},
		{Question{Expect: YesNo}, "2", done(false)},
		{Question{Expect: YesNo}, "3", again},
		{Question{Expect: Choice, Options: options}, "0", again},
		{Question{Expect: Choice, Options: options}, "1", done("Red")},
		{Question{Expect: Choice, Options: options}, "2", done("Green")},
		{Question{Expect: Choice, Options: options}, "3", again},
		{Question{Expect: Number, Max: &nine}, "0", done(0)},
		{Question{Expect: Number, Max: &ten}, "1", ""},
		{Question{Expect: Number, Max: &ten}, "10#", done(10)},
		{Question{Expect: Number, Max: &ten}, "#", again},
		{Question{Expect: Number}, "123456781234", ""},
		{Question{Expect: Number}, "1234567812345", done(1.23456781234e11)},
		{Question{Expect: Text}, "1", ""},
		{Question{Expect: YesNo}, "*", "say Six seven?"},
		{Question{Expect: YesNo}, "**", "say Six seven?"},
		{Question{Expect: YesNo}, "***", again},
		{Question{Expect: YesNo}, "00", "record <nil> say Bye. hang up completed"},
	} {
		if _, actions := steps(asking(c.q), presses(c.keys)...); told(actions) != c.want {
			t.Errorf("%s, %s: %q, want %q", c.q.Expect, c.keys, told(actions), c.want)
		}
	}
}

func TestBoundOfSilences(t *testing.T) {
	t.Parallel()
	lines := tongueOf("en-US").lines
	script := asking(Question{Expect: YesNo})
	if _, actions := steps(script, Silence{}); told(actions) != "say "+lines.StillThere+" Six seven?" {
		t.Errorf("the first silence: %s", told(actions))
	}
	if _, actions := steps(script, Silence{}, Silence{}); told(actions) != "say "+lines.NoAnswer+" hang up silence" {
		t.Errorf("the second silence: %s", told(actions))
	}
	if _, actions := steps(
		script, Silence{}, Prompt{Text: "Hm."}, Silence{},
	); !strings.HasPrefix(told(actions), "say "+lines.StillThere) {
		t.Errorf("a silence after a word: %s", told(actions))
	}
	for n := range 4 {
		script.Nudges = &n
		silences := make([]Input, n+1)
		for i := range silences {
			silences[i] = Silence{}
		}
		if _, actions := steps(script, silences...); told(actions) != "say "+lines.NoAnswer+" hang up silence" {
			t.Errorf("%d nudges, then %s", n, told(actions))
		}
		if n == 0 {
			continue
		}
		if _, actions := steps(script, silences[1:]...); told(actions) != "say "+lines.StillThere+" Six seven?" {
			t.Errorf("nudge %d: %s", n, told(actions))
		}
	}
}

// Only a message to voicemail can be cut short, and only before its last word.
func TestBoundOfAMessage(t *testing.T) {
	t.Parallel()
	script := asking(Question{Expect: YesNo})
	script.VoicemailMessage = "Please call back."
	for heard, short := range map[string]bool{"Please call": true, "Please call back.": false} {
		s, _ := steps(script, MachineDetected{MessageEnd: true}, Interrupted{Spoken: heard})
		if s.CutShort != short {
			t.Errorf("%q was heard: cut short %t", heard, s.CutShort)
		}
	}
	s, _ := steps(script, Prompt{Text: "Yes."}, Interrupted{Spoken: ""})
	if s.CutShort {
		t.Error("a goodbye counts as a message")
	}
}

// Names are alike if the shorter one has four letters and up to two more follow.
func TestBoundsOfLikeness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"red", "red", true}, {"red", "reds", false}, {"call", "calls", true}, {"calls", "call", true},
		{"call", "called", true}, {"call", "calling", false}, {"call", "cell", false},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
}
