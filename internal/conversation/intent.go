package conversation

import (
	"slices"
	"strings"
)

// Intent is what a person wants instead of answering. It ends the conversation.
type Intent string

const (
	WrongPerson Intent = "wrong_person" // the number is somebody else's
	Deceased    Intent = "deceased"     // the recipient has died
	Minor       Intent = "minor"        // a child answered
	Busy        Intent = "busy"         // the recipient has no time now
	CallBack    Intent = "call_back"    // the recipient asked for a call at another time
	WantsHuman  Intent = "wants_human"  // the recipient wants to talk to a person
)

// Intents are all intents.
var Intents = []Intent{WrongPerson, Deceased, Minor, Busy, CallBack, WantsHuman}

// Words describes an intent for people. It is empty for an unknown one.
func (i Intent) Words() string {
	switch i {
	case WrongPerson:
		return "Wrong person"
	case Deceased:
		return "Recipient has died"
	case Minor:
		return "A child answered"
	case Busy:
		return "Had no time"
	case CallBack:
		return "Asked to be called back"
	case WantsHuman:
		return "Asked for a person"
	}
	return ""
}

// byPrecedence are the intents in the order in which they are looked for: "I'm driving,
// call me in an hour" asks for a call.
var byPrecedence = []Intent{WrongPerson, Deceased, Minor, WantsHuman, CallBack, Busy}

// intent recognizes what a person wants instead of answering the open question. understood
// is whether the utterance also answers it, with value.
func (s *State) intent(u utterance, value any, understood bool) (Intent, bool) {
	t, q := s.tongue(), s.open()
	u = u.without(t.harmless)
	for _, intent := range byPrecedence {
		matched := t.intents[intent].in(u)
		if intent == Busy && matched.text == "" && q.Expect != Time && q.Expect != Date {
			matched = t.intents[intent].in(t.timeless(u)) // "It's 3 pm, I'm busy"
		}
		if matched.text == "" {
			continue
		}
		answers := understood && t.shares(q, matched.text)
		switch intent {
		case WrongPerson:
			answers = s.answered() > 0 && (answers || q.Expect == Text)
		case Deceased: // who has answered a question is the recipient, and grown up
			answers = s.answered() > 0 || understood && q.Expect == Number
		case Minor: // "I'm only seven" answers how old somebody is, and no other question for a number
			answers = s.answered() > 0 || understood && q.Expect == Number && t.asksForYears(q)
		case Busy:
			switch q.Expect {
			case YesNo:
				answers = answers && value == true // "no, it's not a good time" is no mere "no"
			case Number: // that is no time
				w := t.when(apart(u.words()), false)
				answers = understood && w.minute == nil && w.in == 0
			case Choice, Date, Time:
				answers = understood
			}
			answers = answers || t.goAhead.in(u).text != ""
		}
		// In a free answer, the wish must be what a clause begins with: "ask her to call me
		// back" is for the nurse.
		free := q.Expect == Text && !s.Unasked && !matched.begins && intent != WrongPerson && intent != WantsHuman
		if !answers && !free {
			return intent, true
		}
	}
	return "", false
}

// leave ends the call as a person's intent wants it.
func (s *State) leave(intent Intent, u utterance, in Prompt) []Action {
	s.Intent = intent
	t := s.Script.Transfer
	if intent == WantsHuman && t != nil && t.HumanID != nil && s.destination(*t.HumanID) != nil {
		return s.transfer(*t.HumanID)
	}
	if intent == CallBack {
		s.CallBackAt, s.Leeway = s.tongue().callBackAt(u.words(), in.At)
		s.Promised = s.Unreached
	}
	return s.goodbye(Ending(intent), s.parting(intent))
}

// parting is what ends the call after an intent.
func (s *State) parting(intent Intent) string {
	l := s.lines()
	return map[Intent]string{
		WrongPerson: l.WrongPerson, Deceased: l.Deceased, Minor: l.Minor,
		Busy: l.Busy, CallBack: l.CallBack, WantsHuman: l.WantsHuman,
	}[intent]
}

// timeless leaves out the clauses of an utterance that tell a time.
func (t *tongue) timeless(u utterance) utterance {
	var rest []string
	for _, c := range u.clauses() {
		if w := t.when(apart(c.words()), false); w.minute == nil && w.in == 0 {
			rest = append(rest, c.meant)
		}
	}
	text := strings.Join(rest, " , ")
	return utterance{text, text}
}

// asksForYears reports whether a question asks for an age, or for years.
func (t *tongue) asksForYears(q Question) bool {
	return slices.ContainsFunc(flatten(clauses(q.Ask)), func(word string) bool { return t.ages[word] })
}

// shares reports whether a question speaks of the same as a matched text: who is asked
// "Shall we call you back?" may answer "Yes, call me back."
func (t *tongue) shares(q Question, matched string) bool {
	asked := flatten(clauses(q.Ask + " " + strings.Join(q.Options, " ")))
	return slices.ContainsFunc(strings.Fields(matched), func(word string) bool {
		return len(word) >= 4 && !t.common[word] && slices.ContainsFunc(asked, func(w string) bool {
			return alike(w, word)
		})
	})
}

// asksIfRobot reports whether the recipient asks whether the agent is a robot, a recording or a
// person, and does not answer the open question with these words.
func (s *State) asksIfRobot(said [][]string) bool {
	t, q := s.tongue(), s.open()
	asked := t.robot.in(t.utterance(said))
	switch {
	case asked.text == "" || t.not[asked.after]: // "I don't talk to robots"
		return false
	case s.Unasked:
		return true
	case q.Expect == Text:
		return asked.begins && !t.shares(q, asked.text)
	}
	return !t.shares(q, asked.text)
}
