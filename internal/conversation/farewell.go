package conversation

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// A model may say goodbye without ending the call, and may have a tool for what a person wants without calling it.
// The call ends then as if it had.

// partingSeconds is how long the line stays open for the person's goodbye, after a model said its own.
const partingSeconds = 3

// wish is what a person wants, as Intent, CallBackAt and Leeway of a State.
type wish struct {
	Intent     Intent     `json:"intent"`
	CallBackAt *time.Time `json:"call_back_at,omitempty"`
	Leeway     Leeway     `json:"leeway,omitempty"`
}

// unreported recognizes what a person wants instead of talking on, if the model has no tool that reports it. Without
// one, the call would end as if nobody had said it.
func (s *State) unreported(u utterance, said [][]string, now time.Time) (Intent, bool) {
	intent, ok := s.wanted(u, said, now)
	return intent, ok && !s.reports(intent)
}

// reports reports whether the model has a tool for what a person wants.
func (s *State) reports(intent Intent) bool {
	tool := ReportPerson
	if intent == CallBack {
		tool = ScheduleCallback
	}
	if slices.Contains(s.Script.Model.Tools, tool) {
		return true
	}
	keys, _ := s.destinationKeys()
	return intent == WantsHuman && len(keys) > 0 // the model may transfer the call
}

// wanted recognizes what a person wants instead of talking on.
func (s *State) wanted(u utterance, said [][]string, now time.Time) (Intent, bool) {
	intent, ok := s.intent(u, nil, false)
	if !ok || intent == CallBack && s.withheld() {
		return "", false
	}
	t := s.tongue()
	switch intent {
	case Busy: // "I'm busy on Tuesday" is about the day
		if _, dated := t.date(said, now, false); dated || s.answered() > 0 {
			return "", false
		}
	case Minor:
		if slices.ContainsFunc(s.Script.Questions, t.asksForYears) {
			return "", false
		}
	}
	matched := t.intents[intent].in(u.without(t.harmless)).text
	asked := func(q Question) bool { return t.shares(q, matched) }
	if asked(Question{Ask: s.Saying}) && slices.ContainsFunc(s.Script.Questions, asked) {
		return "", false // "Shall we call you back?" is a field of its own
	}
	return intent, true
}

// wishes notes what a person wants that the model has a tool for. A wish lasts until the person says something else.
// Who the person is lasts until they answer.
func (s *State) wishes(u utterance, said [][]string, in Prompt) {
	d := s.Dialog
	intent, ok := s.wanted(u, said, in.At)
	switch {
	case ok:
		d.Wish = &wish{Intent: intent}
		if intent == CallBack {
			d.Wish.CallBackAt, d.Wish.Leeway = s.tongue().callBackAt(u.words(), in.At)
		}
	case d.Wish == nil, d.Wish.Intent == WrongPerson, d.Wish.Intent == Deceased, d.Wish.Intent == Minor:
	case !s.onlyParts(said):
		d.Wish = nil
	}
}

// onlyParts reports whether an utterance has nothing but a goodbye.
func (s *State) onlyParts(said [][]string) bool {
	t := s.tongue()
	return t.only(said, t.bye)
}

// parts ends the call with a person who says goodbye after the model has, or for the second time. After the first
// goodbye the model may say its own.
func (s *State) parts(said [][]string) ([]Action, bool) {
	d := s.Dialog
	switch {
	case !s.onlyParts(said):
		d.Leaving = false
		return nil, false
	case d.Parting:
		d.Leaving = true
		return []Action{Flush{}, s.end(s.farewell())}, true
	case d.Leaving:
		s.dropAnswer()
		return append([]Action{Flush{}}, s.goodbye(s.farewell(), "")...), true
	}
	d.Leaving = len(d.Open) == 0
	return nil, false
}

// notePart notes that the model's words are a goodbye, though it did not end the call. After a goodbye of the person
// they are, unless they ask for something.
func (s *State) notePart(text string) {
	if s.Phase != Talking || text == "" {
		return
	}
	d := s.Dialog
	d.Parting = s.farewells(text) || d.Leaving && !asks(text)
}

// farewells reports whether a text ends with a goodbye.
func (s *State) farewells(text string) bool {
	if asks(text) {
		return false
	}
	if goodbye := s.wording().Goodbye; goodbye != "" && strings.HasSuffix(text, goodbye) {
		return true
	}
	const (
		last = 2 // clauses, as in "Goodbye, Ada."
		more = 2 // words behind a goodbye, as in "Goodbye Mrs. Miller"
	)
	said := clauses(text)
	return slices.ContainsFunc(said[max(len(said)-last, 0):], func(clause []string) bool {
		return slices.ContainsFunc(s.tongue().bye.scan(clause), func(bye found[bool]) bool {
			// Not "Say goodbye to paperwork" or "I have to go over the list of your orders."
			return bye.end == len(clause) || bye.at == 0 && bye.end+more >= len(clause)
		})
	})
}

// asks reports whether a text ends with a question.
func asks(text string) bool {
	last, _ := lastRune(strings.TrimRight(strings.TrimSpace(text), closing+`'`))
	return in("?？;\u037e", last)
}

// farewell is how a call ends in which both, or the model alone, said goodbye.
func (s *State) farewell() Ending {
	d := s.Dialog
	if s.Intent == "" && d.Wish != nil {
		s.Intent, s.CallBackAt, s.Leeway = d.Wish.Intent, d.Wish.CallBackAt, d.Wish.Leeway
		s.Promised = s.Unreached
	}
	skipped := s.skipped()
	missing := func(q Question) bool {
		return q.IsRequired() && !skipped[s.questionAt(q.Key)] &&
			!slices.ContainsFunc(s.Answers, func(a Answer) bool { return a.Key == q.Key })
	}
	switch {
	case s.Intent != "":
		return Ending(s.Intent)
	case slices.ContainsFunc(s.Script.Questions, missing), d.Leaving && len(s.Script.Questions) == 0:
		return SaidGoodbye
	}
	return Completed
}

// dropAnswer drops the answer that the model was asked for.
func (s *State) dropAnswer() {
	if s.Dialog.Awaiting {
		s.lost("", uuid.Nil)
		s.Dialog.Awaiting = false
	}
}
