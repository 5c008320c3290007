package conversation

import (
	"time"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// These functions understand one utterance outside of a call, for the stand-in of a model that the
// sandbox has.

// Lines are what an agent says in addition to its script.
type Lines = lexicon.Lines

// LinesOf returns the lines of a language (BCP 47).
func LinesOf(language string) Lines { return tongueOf(language).lines }

// Understand interprets an utterance in a language as the answer to a question. At is the time of the
// person.
func Understand(q Question, language, heard string, at time.Time) (any, bool) {
	s := State{Script: Script{Language: language, Questions: []Question{q}}, Language: language}
	heard = Clean(heard)
	return s.answer(clauses(heard), heard, at)
}

// IntentOf returns what a person wants instead of answering; empty if nothing.
func IntentOf(language, heard string) Intent {
	t := tongueOf(language)
	u := t.utterance(clauses(Clean(heard)))
	for _, intent := range byPrecedence {
		if t.intents[intent].in(u).text != "" {
			return intent
		}
	}
	return ""
}

// Asks reports whether a person asks nothing but who is calling, or to hear the question again.
func Asks(language, heard string) (who, again bool) {
	t, said := tongueOf(language), clauses(Clean(heard))
	return t.only(said, t.whoAsks), t.only(said, t.repeat)
}

// CallBackAt returns when a person wants to be called back, who says so at a time in their zone, and what they left
// open of it; nil: no time was understood.
func CallBackAt(language, heard string, now time.Time) (*time.Time, Leeway) {
	t := tongueOf(language)
	return t.callBackAt(t.utterance(clauses(Clean(heard))).words(), now)
}

// SaysGoodbye reports whether an utterance is nothing but a goodbye.
func SaysGoodbye(language, heard string) bool {
	t := tongueOf(language)
	return t.only(clauses(Clean(heard)), t.bye)
}

// MoodOf is positive for an utterance with more words of satisfaction than of dissatisfaction, and negative for the
// opposite.
func MoodOf(language, heard string) int {
	s := State{Script: Script{Language: language}}
	s.feel(clauses(Clean(heard)))
	return s.Glad - s.Sad
}
