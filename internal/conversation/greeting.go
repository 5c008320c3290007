package conversation

import (
	"slices"
	"strings"
)

// Until somebody is known to be a person, nothing said is an answer. A voicemail, a call
// screener or a phone menu is recognized by its words, because machine detection comes late
// and takes screeners and menus for people. Answers are noted meanwhile, and a verdict that
// a machine answered voids them. A pressed key, an answer after a verdict, or a third
// understood answer proves a person.

// greeting is who speaks, by the words alone.
type greeting int

const (
	someone     greeting = iota // perhaps a person
	reached                     // perhaps a voicemail
	recorded                    // a voicemail
	fullBox                     // a voicemail that takes no message
	announced                   // a call screener
	askedWho                    // a call screener that wants to know who is calling
	listed                      // a phone menu
	askedToHold                 // a person, or a menu, that wants us to wait
)

// Seconds of patience. The conversation has no clock: it adds up what it hears.
const (
	secondsPerWord  = 0.4 // of somebody who speaks slowly
	screenerSeconds = 30
	menuSeconds     = 20 // or until it repeats itself
	chooseSeconds   = 90 // of a menu in which a model chooses, or until it repeats itself often
	holdSeconds     = 60
	beepSeconds     = 60 // as long as the longest machine detection
)

const (
	provingAnswers   = 3   // so many understood answers prove a person
	maxIntroductions = 2   // a screener may ask again
	maxPickUp        = 12  // words with which a person picks up, at most; a menu says more
	maxEarlier       = 200 // characters that are kept of earlier utterances
)

// greeting recognizes who speaks. earlier is what was heard before, because a greeting may
// come in several utterances.
func (t *tongue) greeting(earlier string, u utterance) (greeting, string) {
	all := utterance{text: strings.TrimSpace(earlier + " " + u.text), meant: u.meant}
	for _, class := range []struct {
		is   greeting
		said pattern
		in   utterance
	}{
		{fullBox, t.full, all}, {askedWho, t.screen, all}, {announced, t.screener, u}, {listed, t.menu, u},
		{recorded, t.record, all},
	} {
		if m := class.said.in(class.in); m.text != "" {
			return class.is, m.text
		}
	}
	if held := t.asksToHold(u); held != "" {
		return askedToHold, held
	}
	switch m := t.perhapsVoicemail(u); {
	case m.text == "":
		return someone, ""
	case t.reached.count(all.text) > 1:
		return recorded, m.text
	default:
		return reached, m.text
	}
}

// perhapsVoicemail returns the words that a voicemail says as well as a person. "You have reached the wrong number" is
// said by people only.
func (t *tongue) perhapsVoicemail(u utterance) match {
	if t.intents[WrongPerson].in(u).text != "" {
		return match{}
	}
	return t.reached.in(u)
}

// asksToHold returns the words that ask to wait: of the whole utterance, or of clauses beside which
// nothing is an answer, as in "Hold on, don't hang up" and "One moment, she's in the garden".
func (t *tongue) asksToHold(u utterance) string {
	if m := t.hold.in(u); m.text != "" {
		return m.text
	}
	var held string
	var rest [][]string
	for _, c := range u.clauses() {
		if m := t.hold.in(c); m.text != "" {
			held = m.text
		} else {
			rest = append(rest, c.words())
		}
	}
	if t.robot.in(u).text != "" || t.only(rest, t.whoAsks, t.repeat) { // "Wait, what?"
		return ""
	}
	if _, answered := t.yesNo(rest); answered {
		return ""
	}
	if _, answered := t.number(rest); answered {
		return ""
	}
	for _, intent := range t.intents {
		if intent.in(u).text != "" {
			return ""
		}
	}
	return held
}

// asksToHoldOnly is whether nothing beside the words that ask to wait may be a free answer.
func (t *tongue) asksToHoldOnly(u utterance) bool {
	return t.hold.in(u).text != "" || !slices.ContainsFunc(u.clauses(), func(c utterance) bool {
		return t.hold.in(c).text == ""
	})
}

// greet says the greeting with the disclosure, and asks the open question.
func (s *State) greet() []Action {
	s.Phase, s.Earlier = Talking, ""
	if s.modeled() {
		return s.pickUp()
	}
	if s.announces() {
		return s.announce("")
	}
	if s.Inbound != nil {
		if s.Question = s.nextOpen(0); s.Question == len(s.Script.Questions) {
			return append(s.speak(true, s.Script.Greeting, s.Script.Disclosure, s.Script.Goodbye), s.end(Completed))
		}
	} else if len(s.Script.Questions) == 0 {
		actions := s.speak(true, s.Script.Greeting, s.Script.Disclosure, s.Script.Goodbye)
		return append(actions, s.end(Completed))
	}
	s.Undisclosed = true // spoken with the greeting
	return s.ask(s.Script.Greeting)
}

// who acts on an utterance that tells who answered. It is false for one that may be a
// person's. understood is whether the utterance answers the open question.
func (s *State) who(u utterance, understood bool) ([]Action, bool) {
	if s.Person {
		return s.holdOn(u)
	}
	t, q := s.tongue(), s.open()
	is, matched := t.greeting(s.Earlier, u)
	free := q.Expect == Text && !s.Unasked
	if is == askedToHold && (free || s.modeled()) && !t.asksToHoldOnly(u) {
		return nil, false
	}
	if (understood || free) && t.shares(q, matched) && (is != askedToHold || q.Expect == Choice) {
		s.Earlier = "" // the question is about messages, menus or calls
		return nil, false
	}
	s.remember(u)
	switch is {
	case fullBox:
		return s.hangUpOn(Voicemail), true
	case askedWho, announced:
		return s.screened(is), true
	case listed:
		s.void()
		s.Phase, s.Saying, s.Waited = Menu, "", 0
		s.repeatsMenu(u)
		return append([]Action{Flush{}}, s.choose(u)...), true
	case recorded:
		return s.machine(false), true
	case askedToHold:
		return s.holdOn(u)
	}
	return nil, false
}

// holdOn waits if somebody asks to.
func (s *State) holdOn(u utterance) ([]Action, bool) {
	t := s.tongue()
	free := s.open().Expect == Text || s.modeled() // a model understands what else was said
	if s.Phase == Closing || t.asksToHold(u) == "" || free && !t.asksToHoldOnly(u) {
		return nil, false
	}
	s.Phase, s.Waited = OnHold, 0
	return []Action{Flush{}}, true
}

// remember keeps the end of what was heard.
func (s *State) remember(u utterance) {
	words := strings.Fields(s.Earlier + " " + u.text)
	for len(words) > 0 && len(strings.Join(words, " ")) > maxEarlier {
		words = words[1:]
	}
	s.Earlier = strings.Join(words, " ")
}

// screened tells a call screener once who is calling, when it asks or falls silent.
func (s *State) screened(is greeting) []Action {
	if s.Phase != Screening {
		s.void()
		s.Phase, s.Saying = Screening, ""
	}
	if is != askedWho || s.Introduced >= maxIntroductions { // the wait will end
		return []Action{Flush{}}
	}
	s.Introduced++
	s.Earlier = ""
	return append([]Action{Flush{}}, s.speak(false, s.introduction())...)
}

// waitForPerson is a step while a screener, a menu or a person on hold is waited for.
func (s *State) waitForPerson(in Input) []Action {
	switch in := in.(type) {
	case Thought, Unthought, Played, Interrupted: // of a model that chooses in a menu
		if s.modeled() && s.Phase == Menu {
			return s.converse(in)
		}
		return nil
	case Digit:
		s.Person = true
		return s.greet()
	case MachineDetected: // detection takes screeners and menus for voicemail
		if s.Phase == OnHold {
			return s.machine(in.MessageEnd)
		}
	case Silence:
		if s.Phase == Screening && s.Introduced == 0 {
			return s.screened(askedWho)
		}
		s.Waited += s.Script.Silence().Seconds()
	case Prompt:
		if heard := Clean(in.Text); heard != "" {
			s.Heard++
			s.Waited += secondsPerWord * float64(words(heard))
			if actions, done := s.heardWaiting(in, clauses(heard)); done {
				return actions
			}
		}
	}
	switch {
	case s.Inputs >= maxInputs:
		return s.hangUpOn(TooLong)
	case s.Phase == Screening && s.Waited >= screenerSeconds:
		return s.hangUpOn(Screened)
	case s.Phase == Menu && s.Waited >= s.menuPatience():
		return s.hangUpOn(MenuReached)
	case s.Phase == OnHold && s.Waited >= holdSeconds:
		return s.goodbye(Unanswered, s.lines().NoAnswer)
	}
	return nil
}

// heardWaiting takes an utterance while a person is waited for. done is false if the wait
// goes on and may be over.
func (s *State) heardWaiting(in Prompt, said [][]string) (actions []Action, done bool) {
	u := s.tongue().utterance(said)
	is, _ := s.tongue().greeting(s.Earlier, u)
	s.remember(u)
	switch is {
	case fullBox, recorded:
		switch {
		case s.Phase == Screening: // it did not put the call through
			return s.hangUpOn(Screened), true
		case is == fullBox:
			return s.hangUpOn(Voicemail), true
		}
		return s.machine(false), true
	case askedWho, announced:
		if s.Phase == Screening && (is == announced || s.Introduced >= maxIntroductions) {
			return nil, false
		}
		return s.screened(is), true
	case listed:
		if s.Phase == OnHold {
			s.void()
			s.Phase, s.Waited = Menu, 0
		}
		if s.Phase == Menu && s.repeatsMenu(u) {
			return s.hangUpOn(MenuReached), true
		}
		return s.choose(u), s.navigates() && s.Waited < s.menuPatience()
	case askedToHold, reached:
		return nil, false
	}
	if intent, ok := s.intent(u, nil, false); ok {
		return s.leave(intent, u, in), true
	}
	switch {
	case len(flatten(said)) == 0:
		return nil, false
	case s.Phase == Menu && len(flatten(said)) > maxPickUp:
		return s.choose(u), s.navigates() && s.Waited < s.menuPatience()
	}
	return s.greet(), true
}

// navigates reports whether a model that may press keys chooses in a phone menu.
func (s *State) navigates() bool {
	return s.modeled() && s.Phase == Menu && slices.Contains(s.Script.Model.Tools, PressDigits)
}

// menuPatience is how many seconds of a menu are waited for.
func (s *State) menuPatience() float64 {
	if s.navigates() {
		return chooseSeconds
	}
	return menuSeconds
}

// choose lets the model choose in a phone menu.
func (s *State) choose(u utterance) []Action {
	if !s.navigates() {
		return nil
	}
	if len(s.Dialog.History) == 0 {
		s.Dialog.note("A phone menu is speaking, not a person. Choose with press_digits, or say nothing and wait. " +
			"Do not talk to it.")
	}
	s.Dialog.hear(u.text)
	return s.think()
}

// repeatsMenu reports whether a phone menu has said this before.
func (s *State) repeatsMenu(u utterance) bool {
	said := limit(u.text, maxEarlier)
	times := 0
	for _, before := range s.Listed {
		if before == said {
			times++
		}
	}
	if times > 0 && !s.navigates() || times > maxMenuRepeats {
		return true
	}
	s.Listed = append(slices.Clip(s.Listed), said)
	return false
}

// maxMenuRepeats is how often a model may let a menu repeat itself.
const maxMenuRepeats = 2

// machine takes the verdict that a voicemail answered. Somebody who is known to be a person
// is none, whatever the detection says.
func (s *State) machine(messageEnd bool) []Action {
	if s.Person {
		return nil
	}
	s.void()
	switch {
	case !s.LeaveMessage:
		return s.hangUpOn(Voicemail)
	case messageEnd:
		return append([]Action{Flush{}}, s.leaveMessage()...)
	}
	s.Phase, s.Saying, s.Waited = Waiting, "", 0
	return []Action{Flush{}}
}

// void removes what a machine said in place of answers.
func (s *State) void() {
	s.Judged = true
	s.Answers, s.Intent, s.CallBackAt, s.Leeway, s.Ending = nil, "", nil, NoLeeway, ""
	s.Question, s.Retried, s.Repeats, s.Typed, s.Silences = 0, false, 0, "", 0
	s.Glad, s.Sad = 0, 0
	s.Unasked = false
	if s.Dialog != nil {
		s.Dialog.forget()
	}
}

// hangUpOn ends the call with a machine at once, without a word.
func (s *State) hangUpOn(reason Ending) []Action {
	s.void()
	s.Saying = ""
	return []Action{Flush{}, s.end(reason)}
}

// waitForMachine is a step while the greeting of a voicemail is waited for.
func (s *State) waitForMachine(in Input) []Action {
	switch in := in.(type) {
	case MachineDetected:
		if in.MessageEnd {
			return s.leaveMessage()
		}
	case Silence: // its greeting is over, whether anybody said so or not
		return s.leaveMessage()
	case Digit:
		s.Person = true
		return s.greet()
	case Prompt:
		t, said := s.tongue(), clauses(Clean(in.Text))
		switch is, _ := t.greeting("", t.utterance(said)); {
		case is == fullBox:
			return s.hangUpOn(Voicemail)
		case t.only(said, t.pickUp, t.whoAsks, t.repeat), s.asksIfRobot(said): // somebody picked up after all
			return s.greet()
		}
		s.Waited += secondsPerWord * float64(words(Clean(in.Text)))
	}
	if s.Waited >= beepSeconds || s.Inputs >= maxInputs { // it talks on, and would not record a message
		return s.hangUpOn(Voicemail)
	}
	return nil
}

func (s *State) leaveMessage() []Action {
	return append(s.speak(false, s.wording().VoicemailMessage), s.end(MessageLeft))
}

// closing is a step during the last words. They were spoken to a machine if it says so now.
func (s *State) closing(in Input) []Action {
	if cut, ok := in.(Interrupted); ok && s.Ending == MessageLeft {
		s.CutShort = words(cut.Spoken) < words(s.Saying)
	}
	if heard, ok := in.(Prompt); ok && s.Ending == MessageLeft {
		u := s.tongue().utterance(clauses(Clean(heard.Text)))
		if s.tongue().full.in(u).text != "" { // it does not take the message
			return s.hangUpOn(Voicemail)
		}
	}
	if s.Person || s.OptedOut != "" || s.Ending.ByMachine() {
		return nil
	}
	switch in := in.(type) {
	case MachineDetected:
		return s.machine(in.MessageEnd)
	case Prompt:
		if heard := Clean(in.Text); heard != "" {
			actions, _ := s.who(s.tongue().utterance(clauses(heard)), false)
			return actions
		}
	}
	return nil
}

// prove notes that an answer came from a person.
func (s *State) prove() {
	understood := 0
	for _, a := range s.Answers {
		i := s.questionAt(a.Key)
		if a.Value != nil && i >= 0 && s.Script.Questions[i].Expect != Text { // every word answers those
			understood++
		}
	}
	s.Person = s.Person || s.Judged || understood >= provingAnswers
}
