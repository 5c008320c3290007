package conversation

import (
	"strings"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
)

// State is a conversation after a step. It contains everything that another process
// needs to continue. Store it as JSON. Other packages may read only the fields with a
// comment above them.
type State struct {
	Script       Script `json:"script"` // as spoken in this call, with its variables filled in
	LeaveMessage bool   `json:"leave_message,omitempty"`
	Phase        Phase  `json:"phase"`
	// Answers are the answers so far, in order.
	Answers []Answer `json:"answers,omitempty"`
	// OptedOut is how the recipient opted out, or empty.
	OptedOut How `json:"opted_out,omitempty"`
	// Ending is why the conversation ended. It is empty before the end.
	Ending Ending `json:"ending,omitempty"`

	Question    int    `json:"question"`               // the index of the open question
	Retried     bool   `json:"retried,omitempty"`      // the answer was not understood once
	Repeats     int    `json:"repeats,omitempty"`      // how often the question was repeated on request
	Typed       string `json:"typed,omitempty"`        // the digits of a number so far
	Saying      string `json:"saying,omitempty"`       // the last spoken text
	DiscloseEnd int    `json:"disclose_end,omitempty"` // words of Saying up to the disclosure's end; 0: none
	AskStart    int    `json:"ask_start,omitempty"`    // words of Saying before the open question; -1: none
	Undisclosed bool   `json:"undisclosed,omitempty"`  // the disclosure was interrupted
	Unasked     bool   `json:"unasked,omitempty"`      // the open question was interrupted before it began
	CutShort    bool   `json:"cut_short,omitempty"`    // voicemail ended before the message did
	Silences    int    `json:"silences,omitempty"`     // consecutive silences
	Inputs      int    `json:"inputs"`                 // all inputs; limits the conversation
	Heard       int    `json:"heard,omitempty"`        // utterances of the recipient
	Glad        int    `json:"glad,omitempty"`         // words of satisfaction
	Sad         int    `json:"sad,omitempty"`          // words of displeasure
}

// Phase is the phase of a conversation.
type Phase string

const (
	Talking Phase = "talking" // the agent asks questions
	Waiting Phase = "waiting" // the agent waits for the end of voicemail's greeting
	Closing Phase = "closing" // the agent says its last words; then the call is hung up
	Over    Phase = "over"    // the call has ended
)

// Answer is the answer to a question.
type Answer struct {
	Key   string `json:"key"`
	Value any    `json:"value"` // bool, float64, string; nil if not understood
	Text  string `json:"text"`  // the spoken or typed text
}

// Done reports whether the agent has no more questions.
func (s State) Done() bool { return s.Phase == Closing || s.Phase == Over }

const (
	maxInputs  = 500
	maxRepeats = 2 // per question
)

// Start begins a conversation with a valid script and the variables of this call, as
// decoded from JSON. Voicemail gets the script's message only with leaveMessage. The
// actions open the call.
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
	s.Undisclosed = true // the disclosure is spoken with the greeting
	return s, s.ask(s.Script.Greeting)
}

// Step processes an input and returns the new state and the actions. It never fails. An
// input without meaning in the current state changes nothing.
func Step(s State, in Input) (State, []Action) {
	if s.Phase == Over {
		return s, nil
	}
	s.Answers = s.Answers[:len(s.Answers):len(s.Answers)] // the caller's slice stays unchanged
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

// Resume continues the conversation after another process took over the call, or after
// the line was restored. It repeats the open question or the last words.
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

// optOut checks first whether the recipient asked not to be called again.
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

// talk processes an input in the phase Talking.
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

// interrupted records what the recipient can't have heard.
func (s *State) interrupted(heard string) {
	n := words(heard)
	if s.DiscloseEnd > 0 && n < s.DiscloseEnd {
		s.Undisclosed = true
	}
	if s.AskStart >= 0 && n <= s.AskStart && n < words(s.Saying) {
		s.Unasked = true
	}
}

// heard processes an utterance of the recipient.
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
	case t.has(said, t.record): // voicemail, not an answer; detection will report it
		return nil
	case t.only(said, t.bye):
		return s.goodbye(SaidGoodbye, "")
	case t.only(said, t.who):
		return s.again(heard, s.Script.Greeting, s.Script.Disclosure)
	case s.Unasked: // spoken during the greeting, before the question was asked
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

// key processes a pressed key. Key 9 is handled by optOut.
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
				return nil // more digits may follow; # or a pause ends the number
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

// typed takes the typed digits as the answer.
func (s *State) typed() []Action {
	q := s.Script.Questions[s.Question]
	if value, ok := typedNumber(s.Typed); ok && q.within(value) {
		return s.record(value, s.Typed)
	}
	return s.notUnderstood(s.Typed)
}

// silence asks once whether the recipient is there, and ends the call the second time.
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

// machine processes the detection of voicemail. A recipient who has already given an
// answer is a person, whatever the detection says.
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
	case Silence: // the greeting is over, even if no event reported it
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

// record stores an answer and asks the next question.
func (s *State) record(value any, heard string) []Action {
	acks := s.lines().Acks
	return s.move(value, heard, acks[s.Question%len(acks)])
}

// skip moves on without an answer, because the recipient has none.
func (s *State) skip(heard string) []Action { return s.move(nil, heard, s.lines().MoveOn) }

// notUnderstood repeats a question once, then moves on without an answer.
func (s *State) notUnderstood(heard string) []Action {
	if s.Retried {
		return s.skip(heard)
	}
	s.Retried = true
	return s.ask(s.Script.NotUnderstood)
}

// again repeats the question at the recipient's request.
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

// ask speaks some texts and then the open question. It inserts a disclosure that was
// not heard in full.
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

// goodbye ends the call with line, or with the script's goodbye if line is empty.
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

// Moment returns the line that asks the recipient to wait while the next sentence is
// delayed.
func (s State) Moment() string { return s.lines().Moment }

// Trouble returns the line that says that a technical problem ends the call.
func (s State) Trouble() string { return s.lines().Trouble }

func (s *State) tongue() *tongue { return tongueOf(s.Script.Language) }

func (s *State) lines() lexicon.Lines { return s.tongue().lines }

// words counts the words of a spoken text.
func words(s string) int { return len(strings.Fields(s)) }
