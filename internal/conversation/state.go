package conversation

import (
	"slices"
	"strings"
	"time"

	"github.com/dialwright/dialwright/internal/conversation/lexicon"
	"github.com/dialwright/dialwright/internal/phone"
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
	// Intent is what a person wanted instead of answering; empty if nothing.
	Intent Intent `json:"intent,omitempty"`
	// CallBackAt is when a person wants to be called back, in UTC; nil: no time was understood.
	CallBackAt *time.Time `json:"call_back_at,omitempty"`
	// Leeway is what the person left open of CallBackAt.
	Leeway Leeway `json:"leeway,omitempty"`
	// Needs are what the model left to people, in its words.
	Needs []string `json:"needs,omitempty"`
	// Person is whether the recipient did something that no machine does.
	Person bool `json:"person,omitempty"`

	Question    int    `json:"question"`               // the index of the open question
	Retried     bool   `json:"retried,omitempty"`      // the answer was not understood once
	Repeats     int    `json:"repeats,omitempty"`      // how often the question was repeated on request
	Typed       string `json:"typed,omitempty"`        // the digits of a number or phone number so far
	Saying      string `json:"saying,omitempty"`       // the last spoken text
	GreetEnd    int    `json:"greet_end,omitempty"`    // words of Saying up to the greeting's end; 0: none
	DiscloseEnd int    `json:"disclose_end,omitempty"` // words of Saying up to the disclosure's end; 0: none
	AskStart    int    `json:"ask_start,omitempty"`    // words of Saying before the open question; -1: none
	Ungreeted   bool   `json:"ungreeted,omitempty"`    // little was heard of the greeting
	Undisclosed bool   `json:"undisclosed,omitempty"`  // the disclosure was interrupted
	Unasked     bool   `json:"unasked,omitempty"`      // the open question was interrupted before it began
	CutShort    bool   `json:"cut_short,omitempty"`    // voicemail ended before the message did
	Silences    int    `json:"silences,omitempty"`     // consecutive silences
	Inputs      int    `json:"inputs"`                 // all inputs; limits the conversation
	Heard       int    `json:"heard,omitempty"`        // utterances of the recipient
	Glad        int    `json:"glad,omitempty"`         // words of satisfaction
	Sad         int    `json:"sad,omitempty"`          // words of displeasure

	Introduction string  `json:"introduction,omitempty"` // what a call screener is told
	Automated    string  `json:"automated,omitempty"`    // what a person is told who asks whether this is a robot
	Region       string  `json:"region,omitempty"`       // where national phone numbers belong to, ISO 3166-1 alpha-2
	Introduced   int     `json:"introduced,omitempty"`   // how often it was
	Judged       bool    `json:"judged,omitempty"`       // a machine answered, for all that was known
	Earlier      string  `json:"earlier,omitempty"`      // the end of what was heard, before a person is known
	Waited       float64 `json:"waited,omitempty"`       // for a person, in seconds

	Listed []string `json:"listed,omitempty"` // what a phone menu has said

	Language  string   `json:"language,omitempty"`  // of Script.Languages; empty: the script's own
	Switched  string   `json:"switched,omitempty"`  // the language before, until something is heard after the switch
	Disclosed []string `json:"disclosed,omitempty"` // the languages in which the disclosure was spoken

	// Inbound is what is known of a person who called; nil: we called.
	Inbound *Inbound `json:"inbound,omitempty"`

	Handover string  `json:"handover,omitempty"` // the beginning of what a person at a destination hears
	Handed   *Handed `json:"handed,omitempty"`   // the last transfer; nil: none
	Offered  bool    `json:"offered,omitempty"`  // the offer of a call was repeated
	// Unreached is whether nobody took the call, so that the person was offered a call by somebody.
	Unreached bool `json:"unreached,omitempty"`
	// Promised is whether a person was promised as who makes the call of the intent CallBack.
	Promised bool `json:"promised,omitempty"`

	now time.Time // of the current step; zero: unknown

	// Notes is the number of the last note for the agent that the conversation knows.
	Notes int `json:"notes,omitempty"`

	// Dialog is the state of a conversation that a model holds; nil for a scripted agent.
	Dialog *Dialog `json:"dialog,omitempty"`
}

// Phase is the phase of a conversation.
type Phase string

const (
	Talking      Phase = "talking"      // the agent asks questions
	Waiting      Phase = "waiting"      // the agent waits for the end of voicemail's greeting
	Screening    Phase = "screening"    // the agent waits for a call screener to put the call through
	Menu         Phase = "menu"         // the agent waits for a person behind a phone menu
	OnHold       Phase = "on_hold"      // the agent waits because a person asked it to hold
	Transferring Phase = "transferring" // the agent announces a transfer; then the line is ended
	Offering     Phase = "offering"     // nobody took the call, and the agent offers that somebody calls
	Closing      Phase = "closing"      // the agent says its last words; then the call is hung up
	Over         Phase = "over"         // the call has ended
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
// decoded from JSON. Voicemail gets a message only with leaveMessage. The
// actions open the call.
func Start(script Script, vars map[string]any, leaveMessage bool) (State, []Action) {
	s := State{
		Script:       script.filled(vars),
		LeaveMessage: leaveMessage,
		Phase:        Talking,
		AskStart:     -1,
		Introduction: introduction(script.Language, vars),
		Automated:    Fill(tongueOf(script.Language).lines.Automated, vars),
		Region:       region(script.Language, vars),
		Handover:     handover(script.Language, vars),
	}
	if script.Model != nil {
		s.Dialog = &Dialog{}
	}
	if tag := script.Choose(spoken(vars["language"])); tag != script.Language {
		s.Language = tag
	}
	return s, s.greet()
}

// introduction is what a call screener is told.
func introduction(language string, vars map[string]any) string {
	lines := tongueOf(language).lines
	if about := Fill(lines.ScreeningAbout, vars); about != "" && spoken(vars["reason"]) != "" {
		return about
	}
	return Fill(lines.Screening, vars)
}

// region is the country of the recipient's number. Without a number, it is the region of the language.
func region(language string, vars map[string]any) string {
	if country := phone.Country(phone.Number(spoken(vars["phone_number"]))); country != "" {
		return country
	}
	_, of, _ := strings.Cut(language, "-")
	return strings.ToUpper(of[strings.LastIndexByte(of, '-')+1:])
}

// Step processes an input and returns the new state and the actions. It never fails. An
// input without meaning in the current state changes nothing. The State may have a time by At.
func Step(s State, in Input) (State, []Action) {
	s, actions := step(s, in)
	s.now = time.Time{}
	return s, actions
}

// At returns the state with the time at which the next Step happens. Without it, the hours of destinations are not
// known, so they count as open.
func (s State) At(now time.Time) State {
	s.now = now
	return s
}

func step(s State, in Input) (State, []Action) {
	if s.Phase == Over {
		return s, nil
	}
	s.Answers = s.Answers[:len(s.Answers):len(s.Answers)] // the caller's state stays unchanged
	s.Dialog = s.Dialog.clone()
	s.Inputs++
	if _, ok := in.(Closed); ok {
		s.closed()
		return s, nil
	}
	if _, ok := in.(TimeUp); ok {
		return s, s.timeUp()
	}
	if actions, ok := s.optOut(in); ok {
		return s, actions
	}
	if heard, ok := in.(Prompt); ok {
		s.follow(heard)
	}
	if n, ok := in.(Noted); ok {
		return s, s.noted(n)
	}
	if t, ok := in.(TakenOver); ok {
		return s, s.takenOver(t)
	}
	if answered, ok := in.(ToolAnswered); ok {
		return s, s.toolAnswered(answered)
	}
	if _, ok := in.(Untransferred); ok {
		return s, s.untransferred()
	}
	switch s.Phase {
	case Transferring:
		s.transferring(in)
		return s, nil
	case Offering:
		return s, s.offering(in)
	case Talking:
		talk := s.talk
		if s.modeled() {
			talk = s.converse
		}
		if s.announces() {
			talk = s.announcement
		}
		actions := talk(in)
		if s.Inputs >= maxInputs && s.Phase == Talking {
			return s, s.goodbye(TooLong, "")
		}
		return s, actions
	case Waiting:
		return s, s.waitForMachine(in)
	case Screening, Menu, OnHold:
		return s, s.waitForPerson(in)
	case Closing:
		return s, s.closing(in)
	}
	return s, nil
}

// Discloses reports whether the last words of a script have the disclosure, and nothing shows yet that they were heard.
// The conversation is then told when they have been played.
func (s State) Discloses() bool { return s.Phase == Talking && !s.modeled() && s.DiscloseEnd > 0 }

// closed processes the end of the call. Who hangs up after a goodbye, of the model or their own, has talked to the end.
func (s *State) closed() {
	if s.Ending == "" {
		s.Ending = map[Phase]Ending{Waiting: Voicemail, Screening: Screened, Menu: MenuReached}[s.Phase]
	}
	if d := s.Dialog; s.Ending == "" && s.Phase == Talking && s.modeled() && (d.Parting && !d.Cut || d.Leaving) {
		s.Ending = s.farewell()
	}
	if s.Ending == "" {
		s.Ending = HungUp
	}
	s.Phase = Over
}

// Resume continues the conversation after another process took over the call, or after
// the line was restored. It repeats the open question or the last words, and the greeting and the disclosure if
// nothing shows that they were heard.
func Resume(s State) (State, []Action) {
	s.Inputs++
	s.Dialog = s.Dialog.clone()
	switch s.Phase {
	case Talking:
		if s.announces() {
			return s, s.announce(s.lines().Back)
		}
		s.breakOff()
		if !s.modeled() {
			return s, s.ask(s.lines().Back)
		}
		s.Dialog.Unplayed = nil
		actions := s.tell(true, s.lines().Back)
		if !s.disclosed() {
			actions = append(actions, s.introduce()...)
		}
		return s, append(actions, s.think()...)
	case Transferring:
		return s, []Action{Say{Text: s.Saying}}
	case Offering:
		return s, s.speak(true, s.lines().Back, s.transferLines().OfferCallBack)
	case Menu:
		if s.Awaiting() {
			s.Dialog.Unplayed = nil
			return s, s.think()
		}
	case Closing:
		saying := s.Saying
		if saying == "" {
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
		if s.withheld() {
			return s.refuseOptOut(), true
		}
		out = OptOut{How: ByKey}
	case Prompt:
		heard := Clean(in.Text)
		if !OptsOut(heard, s.Script.Tags()...) {
			return nil, false
		}
		if s.withheld() {
			s.Heard++
			s.confirmIn(heard)
			return s.refuseOptOut(), true
		}
		out = OptOut{How: BySpeech, Text: heard}
		s.Heard++
		s.confirmIn(heard)
	default:
		return nil, false
	}
	s.OptedOut = out.How
	return append([]Action{out, Flush{}}, s.goodbye(OptedOut, s.lines().OptedOut)...), true
}

// talk processes an input in the phase Talking.
func (s *State) talk(in Input) []Action {
	switch in := in.(type) {
	case Prompt:
		return s.heard(in)
	case Digit:
		return s.key(in.Digit)
	case Interrupted:
		s.interrupted(in.Spoken)
	case Played:
		if words(in.Text) >= s.DiscloseEnd { // nobody needs the greeting and the disclosure again
			s.GreetEnd, s.DiscloseEnd = 0, 0
		}
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
	if s.GreetEnd > 0 && 2*n < s.GreetEnd {
		s.Ungreeted = true
	}
	if s.DiscloseEnd > 0 && n < s.DiscloseEnd {
		s.Undisclosed = true
	}
	if s.AskStart >= 0 && n <= s.AskStart && n < words(s.Saying) {
		s.Unasked = true
	}
}

// hears counts an utterance of the recipient and returns its text, its clauses and what is looked for in
// it. The text is empty if nothing was said.
func (s *State) hears(in Prompt) (heard string, said [][]string, u utterance) {
	if heard = Clean(in.Text); heard == "" {
		return "", nil, utterance{}
	}
	s.Heard++
	s.Silences = 0
	said = clauses(heard)
	return heard, said, s.tongue().utterance(said)
}

// feel counts the words of satisfaction and displeasure.
func (s *State) feel(said [][]string) {
	glad, sad := s.tongue().mood(said)
	s.Glad += glad
	s.Sad += sad
}

// heard processes an utterance of the recipient.
func (s *State) heard(in Prompt) []Action {
	heard, said, u := s.hears(in)
	if heard == "" {
		return nil
	}
	t := s.tongue()
	var value any
	understood := false
	if s.Switched != "" { // by these words
		s.Undisclosed = !s.disclosed()
		s.Disclosed = append(slices.Clip(s.Disclosed), s.Speaking())
		return s.ask()
	}
	if !s.Unasked {
		value, understood = s.answer(said, heard, in.At)
	}
	if actions, ok := s.who(u, understood && s.open().Expect != Text); ok {
		return actions
	}
	if s.asksIfRobot(said) {
		return s.again(heard, s.automated())
	}
	if s.asksWhy(u) {
		return s.again(heard, s.tellWhy())
	}
	s.feel(said)
	if intent, ok := s.intent(u, value, understood && s.open().Expect != Text); ok {
		return s.leave(intent, u, in)
	}

	switch {
	case !s.Person && t.perhapsVoicemail(u).text != "": // perhaps voicemail; detection will report it
		return nil
	case t.only(said, t.bye):
		return s.goodbye(SaidGoodbye, "")
	case t.only(said, t.whoAsks):
		return s.again(heard, s.wording().Greeting, s.wording().Disclosure)
	case s.Unasked: // spoken during the greeting, before the question was asked
		return s.ask()
	case t.only(said, t.repeat, t.hello):
		return s.again(heard)
	}
	if understood {
		return s.record(value, heard)
	}
	switch {
	case t.has(said, t.skip):
		return s.skip(heard)
	case t.has(said, t.repeat):
		return s.again(heard)
	case s.open().Expect == Phone && s.group(t.phoneDigits(said, heard)):
		return nil
	}
	return s.notUnderstood(heard)
}

// group keeps a group of digits of a phone number that goes on. It is false for what can't be one.
func (s *State) group(digits string) bool {
	if len(digits) < 2 || len(s.Typed+digits) > maxPhoneDigits {
		return false
	}
	s.Typed += digits
	return true
}

// isKey reports whether a text is a key of a telephone.
func isKey(s string) bool { return len(s) == 1 && strings.Contains("0123456789*#", s) }

// key processes a pressed key. Key 9 is handled by optOut.
func (s *State) key(key string) []Action {
	if !isKey(key) {
		return nil
	}
	s.Silences, s.Person = 0, true
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
	case Text, Date, Time, Phone, Email: // spoken only
		return nil
	}
	return s.notUnderstood(key)
}

// typed takes the typed digits as the answer. A phone number whose last group is missing is none.
func (s *State) typed() []Action {
	q := s.Script.Questions[s.Question]
	if value, ok := typedNumber(s.Typed); ok && q.Expect == Number && q.within(value) {
		return s.record(value, s.Typed)
	}
	return s.notUnderstood(s.Typed)
}

// silence asks whether the recipient is there, and ends the call after the last nudge.
func (s *State) silence() []Action {
	if s.Typed != "" {
		return s.typed()
	}
	s.Silences++
	if s.Silences > s.Script.MaxNudges() {
		return s.goodbye(Unanswered, s.lines().NoAnswer)
	}
	return s.ask(s.lines().StillThere)
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
	return s.ask(s.wording().NotUnderstood)
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
	if value != nil {
		s.prove()
	}
	actions := []Action{RecordAnswer(a)}
	i := s.Question
	s.Question = s.nextOpen(i + 1) // also before a transfer, because the call may return from it
	s.Retried, s.Repeats, s.Typed = false, 0, ""
	return append(actions, s.follows(i, s.Script.Questions[i].branch(value), ack)...)
}

// proceed asks the next question, or ends the call after the last one.
func (s *State) proceed(ack string) []Action {
	if s.Question == len(s.Script.Questions) {
		return s.goodbye(Completed, "")
	}
	return s.ask(ack)
}

// ask speaks some texts and then the open question. It inserts a greeting of which little was
// heard, and a disclosure that was not heard in full.
func (s *State) ask(before ...string) []Action {
	greeting, disclosure := s.wording().Greeting, s.wording().Disclosure
	if s.Ungreeted && !slices.Contains(before, greeting) {
		before = append(slices.Clip(before), greeting)
	}
	start, greeted := 0, 0
	for _, b := range before {
		start += words(b)
		if b == greeting {
			greeted = start
		}
	}
	disclosed := 0
	if s.Undisclosed {
		if len(before) == 0 || before[len(before)-1] != disclosure {
			before = append(before, disclosure)
			start += words(disclosure)
		}
		disclosed = start
	}
	s.Ungreeted, s.Undisclosed, s.Unasked, s.Typed = false, false, false, ""
	actions := s.speak(true, append(before, s.question(s.Question).Ask)...)
	s.GreetEnd, s.AskStart, s.DiscloseEnd = greeted, start, disclosed
	return actions
}

// goodbye ends the call with line, or with the script's goodbye if line is empty.
func (s *State) goodbye(reason Ending, line string) []Action {
	if line == "" {
		line = s.wording().Goodbye
	}
	return append(s.speak(false, line), s.end(reason))
}

func (s *State) speak(interruptible bool, parts ...string) []Action {
	s.GreetEnd, s.AskStart, s.DiscloseEnd = 0, -1, 0
	s.Saying = strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	if s.Saying == "" {
		return nil
	}
	return []Action{Say{Text: s.Saying, Interruptible: interruptible}}
}

// open is the open question. It has no text if none is open, or if a model asks them.
func (s *State) open() Question {
	if !s.modeled() && s.Question < len(s.Script.Questions) {
		return s.question(s.Question)
	}
	return Question{}
}

// questionAt is the index of a question by its key, or -1.
func (s *State) questionAt(key string) int {
	return slices.IndexFunc(s.Script.Questions, func(q Question) bool { return q.Key == key })
}

// answered is how many questions have an answer.
func (s *State) answered() (n int) {
	for _, a := range s.Answers {
		if a.Value != nil {
			n++
		}
	}
	return n
}

func (s *State) end(reason Ending) HangUp {
	s.Phase, s.Ending = Closing, reason
	return HangUp{reason}
}

// Moment returns the line that asks the recipient to wait while the next sentence is
// delayed.
func (s State) Moment() string { return s.lines().Moment }

// NotUnderstood returns the line that asks the recipient to repeat.
func (s State) NotUnderstood() string { return s.wording().NotUnderstood }

// Trouble returns the line that says that a technical problem ends the call.
func (s State) Trouble() string { return s.lines().Trouble }

func (s *State) tongue() *tongue { return tongueOf(s.Speaking()) }

func (s *State) lines() lexicon.Lines { return s.tongue().lines }

// words counts the words of a spoken text.
func words(s string) int { return len(strings.Fields(s)) }
