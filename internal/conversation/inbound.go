package conversation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// Inbound is what a conversation knows of a person who called. It is stored with the call when it arrives.
type Inbound struct {
	// Withheld is whether the caller withheld the number, so that nothing is known of them.
	Withheld bool `json:"withheld,omitempty"`
	// Called is whether the number was called before. Reason is why, in words that may be spoken. Without one, Said is
	// how the agent introduced itself.
	Called bool   `json:"called,omitempty"`
	Reason string `json:"reason,omitempty"`
	Said   string `json:"said,omitempty"`
	// Announced is whether the script's greeting is a message, after which nobody talks. Full means that nobody can
	// talk now, and offers a callback.
	Announced bool `json:"announced,omitempty"`
	Full      bool `json:"full,omitempty"`
	// Answers are those that earlier calls gave to the script's questions.
	Answers []Answer `json:"answers,omitempty"`

	Organization string `json:"organization,omitempty"`
	Told         bool   `json:"told,omitempty"` // the message was said
}

// StartInbound begins a conversation with a person who called. The script and the variables are as in Start.
func StartInbound(script Script, vars map[string]any, in Inbound) (State, []Action) {
	greet := func(w *Wording, language string) {
		switch {
		case in.Announced && in.Full:
			c := tongueOf(language).caller
			w.Greeting = c.Full
			if !in.Withheld {
				w.Greeting += " " + c.Offer
			}
		case in.Announced:
			w.Greeting = cmp.Or(w.Greeting, tongueOf(language).caller.Message)
		default:
			w.Greeting = cmp.Or(w.InboundGreeting, tongueOf(language).caller.Greeting)
		}
	}
	w := script.wording()
	greet(&w, script.Language)
	script.Greeting = w.Greeting
	script.Languages = slices.Clone(script.Languages)
	for i := range script.Languages {
		l := &script.Languages[i]
		greet(&l.Wording, l.Language)
	}
	if in.Withheld { // whoever is not known cannot be put on the list, and must not be told so
		script.Disclosure = tongueOf(script.Language).automated()
		for i := range script.Languages {
			l := &script.Languages[i]
			l.Disclosure = tongueOf(l.Language).automated()
		}
	}
	in.Organization = spoken(vars["organization"])
	s, _ := Start(script, vars, false)
	s.Inbound, s.Person = &in, true
	for _, a := range in.Answers {
		if a.Value != nil && s.questionAt(a.Key) >= 0 {
			s.Answers = append(s.Answers, a)
		}
	}
	if s.Dialog != nil {
		s.Dialog = &Dialog{}
	}
	s.Disclosed = nil
	return s, s.greet()
}

// automated says only that a voice is automated: the first sentence of the line that also says who calls.
func (t tongue) automated() string {
	first, _, _ := strings.Cut(t.lines.Automated, ". ")
	return first + "."
}

func (s *State) withheld() bool { return s.Inbound != nil && s.Inbound.Withheld }

// announces reports whether the conversation is a message for a caller.
func (s *State) announces() bool { return s.Inbound != nil && s.Inbound.Announced && !s.modeled() }

// caller are the lines for people who call.
func (s *State) caller() lexicon.Caller { return s.tongue().caller }

// announce says the message.
func (s *State) announce(before string) []Action {
	w := s.wording()
	return s.speak(true, before, w.Greeting, w.Disclosure)
}

// announcement is a step of a message. It stays on the line for a moment, so that the caller can opt out, ask why they
// were called, or ask for a callback.
func (s *State) announcement(in Input) []Action {
	switch in := in.(type) {
	case Prompt:
		heard, said, u := s.hears(in)
		if heard == "" {
			return nil
		}
		t := s.tongue()
		switch {
		case s.asksIfRobot(said):
			return s.speak(true, s.automated())
		case s.asksWhy(u):
			return s.speak(true, s.why())
		case t.only(said, t.bye):
			return s.over("")
		case t.only(said, t.repeat, t.hello, t.whoAsks) && s.Repeats < maxRepeats:
			s.Repeats++
			return s.announce("")
		}
		if intent, ok := s.intent(u, nil, false); ok && (intent != CallBack || !s.withheld()) {
			return s.leave(intent, u, in)
		}
		if yes, ok := t.yesNo(said); ok && yes && s.offers() {
			return s.noteCallBack()
		}
	case Digit:
		if in.Digit == "1" && s.offers() {
			return s.noteCallBack()
		}
	case Silence:
		return s.over("")
	}
	return nil
}

// offers reports whether the caller was offered a callback.
func (s *State) offers() bool { return s.Inbound.Full && !s.Inbound.Withheld }

func (s *State) noteCallBack() []Action {
	s.Intent = CallBack
	return append([]Action{Flush{}}, s.goodbye(Ending(CallBack), s.lines().CallBack)...)
}

// over ends a message.
func (s *State) over(line string) []Action {
	if s.Inbound.Full {
		return s.goodbye(NoCapacity, line)
	}
	return s.goodbye(Completed, line)
}

// cannotOptOut answers an opt-out of a caller whose number is not known.
func (s *State) cannotOptOut() []Action {
	actions := []Action{Flush{}}
	if s.modeled() {
		return append(actions, s.tell(false, s.caller().Withheld)...)
	}
	return append(actions, s.goodbye(SaidGoodbye, s.caller().Withheld)...)
}

// asksWhy reports whether a caller asks why they were called, unless they answer a free question.
func (s *State) asksWhy(u utterance) bool {
	if s.Inbound == nil {
		return false
	}
	asked := s.tongue().whyAsked.in(u)
	return asked.text != "" && (s.open().Expect != Text || s.Unasked || asked.begins)
}

// why answers why the caller was called, from what is known of the last call.
func (s *State) why() string {
	c, in := s.caller(), s.Inbound
	vars := map[string]any{"organization": in.Organization, "reason": in.Reason}
	switch {
	case in.Withheld:
		return Fill(c.Hidden, vars)
	case !in.Called:
		return Fill(c.Unknown, vars)
	case in.Reason != "":
		return Fill(c.WhyAbout, vars)
	}
	return strings.TrimSpace(Fill(c.Why, vars) + " " + in.Said)
}

// knownOfCaller tells a model what is known of a caller.
func (s *State) knownOfCaller() string {
	switch in := s.Inbound; {
	case in.Withheld:
		return "Their number is withheld, so nothing is known of them. They cannot opt out in this call."
	case !in.Called:
		return "Nothing is known of them."
	default:
		return "We called them before: " + s.why()
	}
}
