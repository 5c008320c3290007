package sandbox

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/conversation"
)

// What the sandbox plays instead of a willing recipient, an agent of the language understands. A voicemail has ten
// wordings, with and without a request for a message.
func TestLinesAreUnderstood(t *testing.T) {
	t.Parallel()
	all := maps.Clone(linesAbroad)
	all["en"] = english
	for tag := range abroad {
		if _, ok := all[tag]; !ok {
			t.Errorf("%s has no lines", tag)
		}
	}
	for tag, l := range all {
		hear := func(parts ...string) string {
			state, _ := conversation.Start(conversation.Script{
				Language: tag, Greeting: "@", VoicemailMessage: "!",
				Questions: []conversation.Question{{Key: "q", Ask: "#", Expect: conversation.YesNo}},
			}, nil, true)
			for _, part := range parts {
				text := strings.ReplaceAll(part, "{first}", "Anna")
				state, _ = conversation.Step(state, conversation.Prompt{Text: text})
			}
			switch {
			case state.Intent != "":
				return string(state.Intent)
			case state.Ending != "":
				return string(state.Ending)
			}
			return string(state.Phase)
		}
		greetings := slices.Concat(l.greetings, l.brief)
		distinct := map[string]bool{}
		for _, parts := range slices.Concat(greetings, l.full, l.unset) {
			distinct[strings.Join(parts, " ")] = true
			if len(parts) < 2 {
				t.Errorf("%s: %q has no pause", tag, parts)
			}
		}
		if len(distinct) != 14 || len(greetings) != 10 || len(l.brief) != 4 || len(l.full) != 2 || len(l.unset) != 2 {
			t.Errorf("%s: %d wordings differ, of %d with and %d without a request for a message, "+
				"%d full, %d not set up",
				tag, len(distinct), len(l.greetings), len(l.brief), len(l.full), len(l.unset))
		}
		for want, wordings := range map[string][][]string{
			"waiting": greetings, "screening": l.screeners, "menu": l.menus,
		} {
			for _, parts := range wordings {
				if got := hear(parts...); got != want {
					t.Errorf("%s: %q is %s, want %s", tag, parts, got, want)
				}
			}
		}
		for _, parts := range l.greetings { // number 03 says them at once
			if got := hear(strings.Join(parts, " ")); got != "waiting" {
				t.Errorf("%s: %q at once is %s", tag, parts, got)
			}
		}
		for _, parts := range slices.Concat(l.full, l.unset) {
			if got := hear(parts...); got != string(conversation.Voicemail) {
				t.Errorf("%s: %q is %s", tag, parts, got)
			}
		}
		if got := hear(l.screeners[0][0], l.stay); got != "screening" {
			t.Errorf("%s: %q is %s", tag, l.stay, got)
		}
		for want, sentences := range map[string][]string{
			"on_hold":      l.hold,
			"wrong_person": l.wrong, "deceased": l.deceased, "call_back": l.later, "busy": l.busy, "minor": l.child,
			"wants_human": l.human,
		} {
			for _, sentence := range sentences {
				if got := hear(sentence); got != want {
					t.Errorf("%s: %q is %s, want %s", tag, sentence, got, want)
				}
			}
		}
		for _, sentence := range l.child { // its age is no score
			score := conversation.Question{Key: "q", Ask: "#", Expect: conversation.Number}
			state, _ := conversation.Start(conversation.Script{
				Language: tag, Greeting: "@", Questions: []conversation.Question{score},
			}, nil, false)
			state, _ = conversation.Step(state, conversation.Prompt{Text: sentence})
			if state.Intent != conversation.Minor {
				t.Errorf("%s: %q for a number is %q, %+v", tag, sentence, state.Intent, state.Answers)
			}
		}
		for _, sentence := range l.second {
			if got := hear(l.hold[0], sentence); got != "talking" {
				t.Errorf("%s: %q after a wait is %s", tag, sentence, got)
			}
		}
	}
}
