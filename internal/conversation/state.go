package conversation

import (
	"strings"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// State is a conversation after a step. It holds all that is needed to go on
// elsewhere; store it as JSON. Only the fields with a comment of their own are
// for others to read.
type State struct {
	Script       Script `json:"script"` // as spoken in this call: its variables filled in
	LeaveMessage bool   `json:"leave_message,omitempty"`
	Phase        Phase  `json:"phase"`
	// Answers are those recorded so far, in order.
	Answers []Answer `json:"answers,omitempty"`
	// OptedOut is how the recipient asked not to be called again, if at all.
	OptedOut How `json:"opted_out,omitempty"`
	// Ending is why the conversation ended; empty until it does.
	Ending Ending `json:"ending,omitempty"`

	Question    int    `json:"question"`               // the open one
	Retried     bool   `json:"retried,omitempty"`      // it was not understood once
	Repeats     int    `json:"repeats,omitempty"`      // how often it was said again on request
	Typed       string `json:"typed,omitempty"`        // digits of a number so far
	Saying      string `json:"saying,omitempty"`       // the last thing said
	DiscloseEnd int    `json:"disclose_end,omitempty"` // its words up to the end of the disclosure; 0: not in it
	AskStart    int    `json:"ask_start,omitempty"`    // its words before the open question; -1: not in it
	Undisclosed bool   `json:"undisclosed,omitempty"`  // the disclosure was cut off
	Unasked     bool   `json:"unasked,omitempty"`      // the open question was cut off before it began
	CutShort    bool   `json:"cut_short,omitempty"`    // the machine ended before the message did
	Silences    int    `json:"silences,omitempty"`     // in a row
	Inputs      int    `json:"inputs"`                 // all of them; bounds the conversation
	Heard       int    `json:"heard,omitempty"`        // utterances of the recipient
	Glad        int    `json:"glad,omitempty"`         // words of contentment
	Sad         int    `json:"sad,omitempty"`          // words of displeasure
}

// Phase is where a conversation is.
type Phase string

const (
	Talking Phase = "talking" // questions are asked
	Waiting Phase = "waiting" // for a machine's greeting to end
	Closing Phase = "closing" // the last words are spoken; the call is about to be hung up
	Over    Phase = "over"    // the call has ended
)

// Answer is how one question was answered.
type Answer struct {
	Key   string `json:"key"`
	Value any    `json:"value"` // bool, float64, string; nil when it was not understood
	Text  string `json:"text"`  // what was said or typed
}

// Done tells that nothing more will be asked.
func (s State) Done() bool { return s.Phase == Closing || s.Phase == Over }

const (
	maxInputs  = 500
	maxRepeats = 2 // per question
)

// Start begins a conversation with a valid script and the variables of this
// call, as decoded from JSON; a machine gets the script's message only with
// leaveMessage. The actions open the call.
func Start(script Script, vars map[string]any, leaveMessage bool) (State, []Action) {
	s := State{
		Script:       script.filled(vars),
		LeaveMessage: leaveMessage && script.VoicemailMessage != "",
		Phase:        Talking,
		AskStart:     -1,
	}
	if len(s.Script.Questions) == 0 {
		actions := s.speak(true, s.Script.Greeting, s.Script.Disclosure, s.Script.Goodbye)
		return s, append(actions, s.end(Completed))
	}
	s.Undisclosed = true // spoken with the greeting
	return s, s.ask(s.Script.Greeting)
}

// Step takes what happened on the line and says what to do. It never fails; an
// input that has no meaning in the state changes nothing.
func Step(s State, in Input) (State, []Action) {
	if s.Phase == Over {
		return s, nil
	}
	s.Answers = s.Answers[:len(s.Answers):len(s.Answers)] // the caller keeps its own
	s.Inputs++
	if _, ok := in.(Closed); ok {
		s.Phase = Over
		if s.Ending == "" {
			s.Ending = HungUp
		}
		return s, nil
	}
	if actions, ok := s.optOut(in); ok {
		return s, actions
	}
	switch s.Phase {
	case Talking:
		actions := s.talk(in)
		if s.Inputs >= maxInputs && s.Phase == Talking {
			return s, s.goodbye(TooLong, "")
		}
		return s, actions
	case Waiting:
		return s, s.waitForMachine(in)
	case Closing:
		if cut, ok := in.(Interrupted); ok && s.Ending == MessageLeft {
			s.CutShort = words(cut.Spoken) < words(s.Saying)
		}
	}
	return s, nil
}

// Resume goes on after another process has taken the line over, or the line
// came back: with the open question, or with the last words.
func Resume(s State) (State, []Action) {
	s.Inputs++
	switch s.Phase {
	case Talking:
		return s, s.ask(s.lines().Back)
	case Closing:
		saying := s.Saying
		if s.Ending == Voicemail || saying == "" {
			return s, []Action{HangUp{s.Ending}}
		}
		return s, []Action{Say{Text: saying}, HangUp{s.Ending}}
	}
	return s, nil
}

// optOut decides, before anything else, whether the recipient asked not to be
// called again.
func (s *State) optOut(in Input) ([]Action, bool) {
	if s.OptedOut != "" {
		return nil, false
	}
	var out OptOut
	switch in := in.(type) {
	case Digit:
		if in.Digit != "9" {
			return nil, false
		}
		out = OptOut{How: ByKey}
	case Prompt:
		heard := Clean(in.Text)
		if !OptsOut(heard, s.Script.Language) {
			return nil, false
		}
		out = OptOut{How: BySpeech, Text: heard}
		s.Heard++
	default:
		return nil, false
	}
	s.OptedOut = out.How
	actions := []Action{out, Flush{}}
	actions = append(actions, s.speak(false, s.lines().OptedOut)...)
	return append(actions, s.end(OptedOut)), true
}

// talk is a step while questions are asked.
func (s *State) talk(in Input) []Action {
	switch in := in.(type) {
	case Prompt:
		return s.heard(Clean(in.Text))
	case Digit:
		return s.key(in.Digit)
	case Interrupted:
		s.interrupted(in.Spoken)
	case Silence:
		return s.silence()
	case MachineDetected:
		return s.machine(in.MessageEnd)
	}
	return nil
}

// interrupted notes what the recipient can't have heard.
func (s *State) interrupted(heard string) {
	n := words(heard)
	if s.DiscloseEnd > 0 && n < s.DiscloseEnd {
		s.Undisclosed = true
	}
	if s.AskStart >= 0 && n <= s.AskStart && n < words(s.Saying) {
		s.Unasked = true
	}
}

// heard takes an utterance of the recipient.
func (s *State) heard(heard string) []Action {
	if heard == "" {
		return nil
	}
	s.Heard++
	s.Silences = 0
	t := s.tongue()
	said := clauses(heard)
	glad, sad := t.mood(said)
	s.Glad += glad
	s.Sad += sad
	q := s.Script.Questions[s.Question]

	switch {
	case t.has(said, t.record): // no answer to anything; detection will tell what it is
		return nil
	case t.only(said, t.bye):
		return s.goodbye(SaidGoodbye, "")
	case t.only(said, t.who):
		return s.again(heard, s.Script.Greeting, s.Script.Disclosure)
	case s.Unasked: // spoken into the greeting: no answer to what was not asked yet
		return s.ask()
	case t.only(said, t.repeat, t.hello):
		return s.again(heard)
	}
	if value, ok := t.answer(q, said, heard); ok {
		return s.record(value, heard)
	}
	switch {
	case t.has(said, t.skip):
		return s.skip(heard)
	case t.has(said, t.repeat):
		return s.again(heard)
	}
	return s.notUnderstood(heard)
}

// key takes a pressed key; 9 never comes here.
func (s *State) key(key string) []Action {
	if len(key) != 1 || !strings.Contains("0123456789*#", key) {
		return nil
	}
	s.Silences = 0
	switch {
	case s.Unasked:
		return s.ask()
	case key == "*":
		return s.again(key)
	}
	q := s.Script.Questions[s.Question]
	digit := -1
	if key != "#" {
		digit = int(key[0] - '0')
	}
	switch q.Expect {
	case YesNo:
		if digit == 1 || digit == 2 {
			return s.record(digit == 1, key)
		}
	case Choice:
		if digit >= 1 && digit <= len(q.Options) {
			return s.record(q.Options[digit-1], key)
		}
	case Number:
		if digit >= 0 && len(s.Typed) < 12 {
			s.Typed += key
			if q.Max == nil || *q.Max >= 10 {
				return nil // more may follow; # or a pause ends it
			}
		}
		if s.Typed != "" {
			return s.typed()
		}
	case Text:
		return nil
	}
	return s.notUnderstood(key)
}

// typed takes the digits of a number as its answer.
func (s *State) typed() []Action {
	q := s.Script.Questions[s.Question]
	if value, ok := typedNumber(s.Typed); ok && q.within(value) {
		return s.record(value, s.Typed)
	}
	return s.notUnderstood(s.Typed)
}

// silence asks once whether somebody is there, then gives up.
func (s *State) silence() []Action {
	if s.Typed != "" {
		return s.typed()
	}
	s.Silences++
	if s.Silences > 1 {
		return s.goodbye(Unanswered, s.lines().NoAnswer)
	}
	return s.ask(s.lines().StillThere)
}

// machine takes the news that nobody is there. Somebody who has already given
// an answer is no machine, whatever the detection says.
func (s *State) machine(recording bool) []Action {
	for _, a := range s.Answers {
		if a.Value != nil {
			return nil
		}
	}
	switch {
	case !s.LeaveMessage:
		s.Saying = ""
		return []Action{Flush{}, s.end(Voicemail)}
	case recording:
		return append([]Action{Flush{}}, s.leaveMessage()...)
	}
	s.Phase = Waiting
	return []Action{Flush{}}
}

func (s *State) waitForMachine(in Input) []Action {
	switch in := in.(type) {
	case MachineDetected:
		if in.MessageEnd {
			return s.leaveMessage()
		}
	case Silence: // its greeting is over, whether anybody said so or not
		return s.leaveMessage()
	}
	if s.Inputs >= maxInputs {
		return []Action{s.end(Voicemail)}
	}
	return nil
}

func (s *State) leaveMessage() []Action {
	return append(s.speak(false, s.Script.VoicemailMessage), s.end(MessageLeft))
}

// record notes an answer and asks the next question.
func (s *State) record(value any, heard string) []Action {
	acks := s.lines().Acks
	return s.move(value, heard, acks[s.Question%len(acks)])
}

// skip goes on without an answer, because the recipient has none.
func (s *State) skip(heard string) []Action { return s.move(nil, heard, s.lines().MoveOn) }

// notUnderstood repeats a question once, then goes on without its answer.
func (s *State) notUnderstood(heard string) []Action {
	if s.Retried {
		return s.skip(heard)
	}
	s.Retried = true
	return s.ask(s.Script.NotUnderstood)
}

// again says the question once more because the recipient asked for it.
func (s *State) again(heard string, before ...string) []Action {
	if s.Repeats >= maxRepeats {
		return s.notUnderstood(heard)
	}
	s.Repeats++
	return s.ask(before...)
}

func (s *State) move(value any, heard, ack string) []Action {
	a := Answer{Key: s.Script.Questions[s.Question].Key, Value: value, Text: heard}
	s.Answers = append(s.Answers, a)
	actions := []Action{RecordAnswer(a)}
	s.Question++
	s.Retried, s.Repeats, s.Typed = false, 0, ""
	if s.Question == len(s.Script.Questions) {
		return append(actions, s.goodbye(Completed, "")...)
	}
	return append(actions, s.ask(ack)...)
}

// ask says something, then the open question. A disclosure that was not heard
// in full comes before it.
func (s *State) ask(before ...string) []Action {
	start := 0
	for _, b := range before {
		start += words(b)
	}
	disclosed := 0
	if s.Undisclosed {
		if len(before) == 0 || before[len(before)-1] != s.Script.Disclosure {
			before = append(before, s.Script.Disclosure)
			start += words(s.Script.Disclosure)
		}
		disclosed = start
	}
	s.Undisclosed, s.Unasked, s.Typed = false, false, ""
	actions := s.speak(true, append(before, s.Script.Questions[s.Question].Ask)...)
	s.AskStart, s.DiscloseEnd = start, disclosed
	return actions
}

// goodbye ends the call politely: with its own words, or the script's.
func (s *State) goodbye(reason Ending, line string) []Action {
	if line == "" {
		line = s.Script.Goodbye
	}
	return append(s.speak(false, line), s.end(reason))
}

func (s *State) speak(interruptible bool, parts ...string) []Action {
	s.AskStart, s.DiscloseEnd = -1, 0
	s.Saying = strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	if s.Saying == "" {
		return nil
	}
	return []Action{Say{Text: s.Saying, Interruptible: interruptible}}
}

func (s *State) end(reason Ending) HangUp {
	s.Phase, s.Ending = Closing, reason
	return HangUp{reason}
}

// Moment asks the recipient to wait while the next sentence has to.
func (s State) Moment() string { return s.lines().Moment }

// Trouble says that a technical problem ends the call.
func (s State) Trouble() string { return s.lines().Trouble }

func (s *State) tongue() *tongue { return tongueOf(s.Script.Language) }

func (s *State) lines() lexicon.Lines { return s.tongue().lines }

// words counts the words of a spoken text.
func words(s string) int { return len(strings.Fields(s)) }
