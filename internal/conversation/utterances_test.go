package conversation

import (
	"fmt"
	"strings"
	"testing"
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
	each("a machine", "nothing", u.machine, closed)
	if len(u.optOut) < 15 || len(u.noOptOut) < 10 || len(u.numbers) < 10 || said < 80 {
		t.Errorf("%s: %d utterances, %d of them opt-outs, %d near-misses, %d numbers", tag, said, len(u.optOut),
			len(u.noOptOut), len(u.numbers))
	}
}

// meaningOf returns how an agent interprets an utterance after a question.
func meaningOf(tag string, q Question, heard string) string {
	q.Key, q.Ask = "q", "#"
	state, _ := Start(Script{Language: tag, Greeting: "@", Questions: []Question{q}}, nil, false)
	_, actions := Step(state, Prompt{heard})
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
			case a.Text == "#":
				meaning = "repeat"
			default:
				meaning = "no answer"
			}
		}
	}
	return meaning
}
