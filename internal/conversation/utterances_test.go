package conversation

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// utterances are what people say in a language, by the meaning in a call.
type utterances struct {
	optOut, noOptOut []string
	yes, no, unsure  []string
	numbers          map[string]float64
	noNumbers        []string
	choices          map[string]string // "red|green: the green one" chooses "green"; empty: no choice
	repeat, who, bye []string
	skip             []string // the recipient has no answer
	machine          []string // the greeting of a voicemail

	// Who answered, to who has not answered anything yet. A wording in several utterances has
	// " / " between them, and the last of them tells.
	perhaps, full, screening, menu, hold []string
	robot                                []string // asks whether the agent is a robot or a person
	intents                              map[Intent][]string
	callBack                             map[string]string // when, if it is Wednesday, 10:07: "2026-11-25 11:07"
	person                               []string          // and so an answer, or something not understood
}

// check tests every utterance with an agent of the language.
func (u utterances) check(t *testing.T, tag string) {
	t.Helper()
	said := 0
	each := func(meaning, want string, of []string, got func(string) string) {
		t.Helper()
		if len(of) < 2 {
			t.Errorf("%s: %d utterances for %s", tag, len(of), meaning)
		}
		for _, heard := range of {
			said++
			if meaning := got(heard); meaning != want {
				t.Errorf("%s: %q means %s, want %s", tag, heard, meaning, want)
			}
		}
	}
	closed := func(heard string) string { return meaningOf(tag, Question{Expect: YesNo}, heard) }
	number := func(heard string) string { return meaningOf(tag, Question{Expect: Number}, heard) }

	each("an opt-out", "opt-out", u.optOut, closed)
	each("no opt-out", "other", u.noOptOut, func(heard string) string {
		if OptsOut(heard, tag) {
			return "opt-out"
		}
		return "other"
	})
	each("yes", "true", u.yes, closed)
	each("no", "false", u.no, closed)
	each("neither yes nor no", "no answer", u.unsure, func(heard string) string {
		if meaning := closed(heard); meaning != "skip" {
			return meaning
		}
		return "no answer"
	})
	for heard, want := range u.numbers {
		said++
		if got := number(heard); got != fmt.Sprint(want) {
			t.Errorf("%s: %q is %s, want %v", tag, heard, got, want)
		}
	}
	each("no number", "no answer", u.noNumbers, number)
	for heard, want := range u.choices {
		said++
		options, heard, _ := strings.Cut(heard, ": ")
		if want == "" {
			want = "no answer"
		}
		if got := meaningOf(tag, Question{Expect: Choice, Options: strings.Split(options, "|")}, heard); got != want {
			t.Errorf("%s: %q of %s is %s, want %s", tag, heard, options, got, want)
		}
	}
	each("a request to repeat", "repeat", u.repeat, closed)
	each("a question who is calling", "who", u.who, closed)
	each("a goodbye", "bye", u.bye, closed)
	each("having no answer", "skip", u.skip, closed)
	each("a machine", "machine", u.machine, closed)
	said += u.checkWho(t, tag)
	if len(u.optOut) < 15 || len(u.noOptOut) < 10 || len(u.numbers) < 10 || said < 80 {
		t.Errorf("%s: %d utterances, %d of them opt-outs, %d near-misses, %d numbers", tag, said, len(u.optOut),
			len(u.noOptOut), len(u.numbers))
	}
}

// checkWho says the utterances that tell who answered, and what a person wants.
func (u utterances) checkWho(t *testing.T, tag string) (said int) {
	t.Helper()
	check := func(want string, of []string) {
		t.Helper()
		for _, heard := range of {
			said++
			if got := meaningOf(tag, Question{Expect: YesNo}, heard); got != want {
				t.Errorf("%s: %q means %s, want %s", tag, heard, got, want)
			}
		}
	}
	check("machine", u.machine)
	check("nothing", u.perhaps)
	check("full", u.full)
	check("screening", u.screening)
	check("menu", u.menu)
	check("on_hold", u.hold)
	if len(u.robot) < 4 {
		t.Errorf("%s: %d questions about a robot", tag, len(u.robot))
	}
	check("robot", u.robot)
	for intent, of := range u.intents {
		check(string(intent), of)
	}
	for heard, want := range u.callBack {
		said++
		state, _ := Start(Script{Language: tag, Greeting: "@", Questions: []Question{{Expect: YesNo}}}, nil, true)
		state, _ = Step(state, Prompt{Text: heard, At: wednesday})
		if state.Intent != CallBack || state.CallBackAt == nil && want != "" || state.CallBackAt != nil &&
			state.CallBackAt.In(wednesday.Location()).Format("2006-01-02 15:04") != want {
			t.Errorf("%s: %q is %s at %v, want %s", tag, heard, state.Intent, state.CallBackAt, want)
		}
	}
	for _, heard := range u.person {
		said++
		got := meaningOf(tag, Question{Expect: YesNo}, heard)
		switch got {
		case "machine", "full", "screening", "menu", "on_hold", "nothing":
			t.Errorf("%s: %q means %s", tag, heard, got)
		}
		if slices.Contains(Intents, Intent(got)) {
			t.Errorf("%s: %q means %s", tag, heard, got)
		}
	}
	return said
}

// wednesday is a Wednesday at 10:07 in New York.
var wednesday = func() time.Time {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	return time.Date(2026, 11, 25, 10, 7, 12, 0, zone)
}()

// meaningOf returns how an agent interprets the last of several utterances after a question.
func meaningOf(tag string, q Question, heard string) string {
	q.Ask = "#"
	return meaningAsked(tag, q, heard)
}

// meaningAsked is meaningOf after a question in these words.
func meaningAsked(tag string, q Question, heard string) string {
	q.Key = "q"
	state, _ := Start(Script{
		Language: tag, Greeting: "@", Questions: []Question{q}, VoicemailMessage: "!",
	}, nil, true)
	utterances := strings.Split(heard, " / ")
	for _, earlier := range utterances[:len(utterances)-1] {
		state, _ = Step(state, Prompt{Text: earlier})
	}
	state, actions := Step(state, Prompt{Text: utterances[len(utterances)-1]})
	switch {
	case state.Phase == Waiting:
		return "machine"
	case state.Phase != Talking && state.Phase != Closing:
		return string(state.Phase)
	case state.Ending == Voicemail:
		return "full"
	case state.Intent != "":
		return string(state.Intent)
	}
	meaning := "nothing"
	for _, a := range actions {
		switch a := a.(type) {
		case OptOut:
			return "opt-out"
		case RecordAnswer:
			if a.Value == nil {
				return "skip"
			}
			return fmt.Sprint(a.Value)
		case HangUp:
			return "bye"
		case Say:
			switch {
			case strings.HasPrefix(a.Text, "@"):
				meaning = "who"
			case strings.HasPrefix(a.Text, state.Automated):
				meaning = "robot"
			case a.Text == q.Ask:
				meaning = "repeat"
			default:
				meaning = "no answer"
			}
		}
	}
	return meaning
}
