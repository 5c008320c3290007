package conversation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// Inbound is what a conversation knows of a person who called. It is stored with the call when it arrives.
type Inbound struct {
	// Withheld is whether the caller withheld the number, so that nothing is known of them.
	Withheld bool `json:"withheld,omitempty"`
	// Called is whether the number was called before. Reason is why, in words that may be spoken. CalledAt is when, and
	// Now is when the caller called back, both in the caller's time zone; zero: unknown.
	Called   bool      `json:"called,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	CalledAt time.Time `json:"called_at,omitzero"`
	Now      time.Time `json:"now,omitzero"`
	// Announced is whether the script's greeting is a message, after which nobody talks. Full means that nobody can
	// talk now, and offers a callback.
	Announced bool `json:"announced,omitempty"`
	Full      bool `json:"full,omitempty"`
	// Answers are those that earlier calls gave to the script's questions.
	Answers []Answer `json:"answers,omitempty"`

	Organization string `json:"organization,omitempty"`
	Refused      bool   `json:"opt_out_refused,omitempty"` // the caller wanted to opt out, and withheld the number
	AskedWhy     bool   `json:"asked_why,omitempty"`       // the caller asked why they had been called
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
	s.Disclosed, s.Ending = nil, "" // a script without questions ended with its greeting
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
			return s.speak(true, s.tellWhy())
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

// refuseOptOut is cannotOptOut for a caller who said so or pressed the key. They hear it once.
func (s *State) refuseOptOut() []Action {
	if s.Phase == Closing && s.Inbound.Refused {
		return nil
	}
	if s.modeled() {
		s.dropAnswer()
	}
	return append([]Action{Flush{}}, s.cannotOptOut()...)
}

// cannotOptOut tells a caller whose number is not known that it cannot be put on the do-not-call list, and ends the
// call, because they want nobody to talk to them. The goodbye of the script may thank them for answers.
func (s *State) cannotOptOut() []Action {
	s.Silences, s.Person = 0, true
	in := *s.Inbound
	in.Refused = true
	s.Inbound = &in
	ending := SaidGoodbye
	if s.Phase == Closing {
		ending = s.Ending
	}
	return s.goodbye(ending, s.caller().Withheld+" "+s.lines().Goodbye)
}

// asksWhy reports whether a caller asks why they were called, unless they answer a free question.
func (s *State) asksWhy(u utterance) bool {
	if s.Inbound == nil {
		return false
	}
	asked := s.tongue().whyAsked.in(u)
	return asked.text != "" && (s.open().Expect != Text || s.Unasked || asked.begins)
}

// tellWhy is why, for a caller who asked.
func (s *State) tellWhy() string {
	in := *s.Inbound
	in.AskedWhy = true
	s.Inbound = &in
	return s.why()
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
		return s.calledOn(Fill(c.WhyAbout, vars))
	}
	return s.calledOn(Fill(c.Why, vars))
}

// calledOn adds on which day the caller was called.
func (s *State) calledOn(why string) string {
	at, now := s.Inbound.CalledAt, s.Inbound.Now
	if at.IsZero() || now.IsZero() {
		return why
	}
	d := s.tongue().dates
	day := strconv.Itoa(at.Day())
	if at.Day() == 1 {
		day = cmp.Or(d.First, day)
	}
	on := d.On
	switch {
	case at.Year() == now.Year() && at.YearDay() == now.YearDay():
		on = d.Today
	case at.Year() != now.Year():
		on = d.OnInYear
	}
	return why + " " + Fill(on, map[string]any{
		"weekday": d.Weekdays[at.Weekday()], "day": day, "month": d.Months[at.Month()-1], "year": at.Year(),
	})
}

// knownOfCaller tells a model what is known of a caller.
func (s *State) knownOfCaller() string {
	switch in := s.Inbound; {
	case in.Withheld:
		return "Their number is withheld, so nothing is known of them. They cannot opt out in this call: if they " +
			"want to, the tool opt_out tells them so, and ends the call."
	case !in.Called:
		return "Nothing is known of them."
	default:
		return "We called them before: " + s.why()
	}
}
