package conversation

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/model"
)

// Dialog is a conversation that a model holds. The model is asked by the action Think, and
// answers with Thought or Unthought. What ends or forbids a conversation comes first: an
// opt-out, a machine, a question whether the agent is one, a limit.
type Dialog struct {
	History   []model.Message `json:"history,omitempty"` // of the agent, only what was played
	Unplayed  []utter         `json:"unplayed,omitempty"`
	Awaiting  bool            `json:"awaiting,omitempty"` // the model was asked
	AskedAt   int             `json:"asked_at,omitempty"` // the length of History then
	Rounds    int             `json:"rounds,omitempty"`   // requests since the person did something
	Cut       bool            `json:"cut,omitempty"`      // the person interrupted, and said nothing yet
	Rest      string          `json:"rest,omitempty"`     // what the person interrupted
	Shortened bool            `json:"shortened,omitempty"`
	Wish      *wish           `json:"wish,omitempty"`     // of the person, that the model has not acted on
	Parting   bool            `json:"parting,omitempty"`  // the model said goodbye and did not end the call
	Leaving   bool            `json:"leaving,omitempty"`  // the person said goodbye
	Accepted  bool            `json:"accepted,omitempty"` // the person accepted the offer of a call by somebody
	Answered  int             `json:"answered,omitempty"` // how many answers there were when it began
	Scripted  bool            `json:"scripted,omitempty"` // no model answered, so the questions are asked in order
	// Turns, ToolCalls and Usage are what the model used in this call.
	Turns      int         `json:"turns,omitempty"`
	ToolCalls  int         `json:"tool_calls,omitempty"`
	ToolErrors int         `json:"tool_errors,omitempty"` // in a row
	Usage      model.Usage `json:"usage"`
	Uses       []Used      `json:"uses,omitempty"` // Usage by connection
	// Prices are those of the connections at the beginning of the call. A connection without prices is not in it.
	Prices map[uuid.UUID]model.Price `json:"prices,omitempty"`
	// Model is the model's name, as its server gave it last, and ConnectionID where it was asked.
	Model        string    `json:"model,omitempty"`
	ConnectionID uuid.UUID `json:"connection_id"`
	Refusals     int       `json:"refusals,omitempty"`

	Open   []OpenCall        `json:"open,omitempty"`   // calls of tools without a result
	Later  []model.Message   `json:"later,omitempty"`  // what was said since, for the history behind the results
	Values map[string]string `json:"values,omitempty"` // variables from results

	Notes  []string `json:"notes,omitempty"`  // for the agent
	Untold bool     `json:"untold,omitempty"` // the model was not asked since the last of them
}

// utter is a text that was given to the line and not reported as played.
type utter struct {
	Text string `json:"text"`
	At   int    `json:"at"` // the index in History where it belongs
}

const (
	maxRounds     = 4      // requests for one reply to the person, with the results of tools
	maxRefused    = 2      // answers in a row that the model refused or that may not be spoken
	maxToolErrors = 4      // calls of tools in a row that were not valid
	maxHistory    = 24_000 // characters, about 6,000 tokens
	minHistory    = 12     // messages that are kept in any case
	resumeSeconds = 2      // after an interruption without words, until the agent goes on
)

// cutMark ends what the agent said before it was interrupted, so that the model knows.
const cutMark = " —"

// Awaiting reports whether the model was asked and its answer still matters.
func (s State) Awaiting() bool {
	return s.modeled() && (s.Phase == Talking || s.Phase == Menu) && s.Dialog.Awaiting
}

// Patience is how long the recipient may be silent before the next Silence.
func (s State) Patience() time.Duration {
	switch {
	case !s.modeled():
	case s.Dialog.Cut:
		return resumeSeconds * time.Second
	case s.Dialog.Parting:
		return min(partingSeconds*time.Second, s.Script.Silence())
	}
	return s.Script.Silence()
}

// modeled reports whether a model holds the conversation.
func (s *State) modeled() bool { return s.Dialog != nil && !s.Dialog.Scripted }

// converse processes an input in the phase Talking of a conversation that a model holds.
func (s *State) converse(in Input) []Action {
	d := s.Dialog
	switch in := in.(type) {
	case Prompt:
		return s.listen(in)
	case Digit:
		return s.pressed(in.Digit)
	case Played:
		d.played(in.Given, in.Text)
		s.checkIntroduced(in.Given, in.Text)
	case Interrupted:
		s.cutOff(in)
		s.checkIntroduced(in.Given, in.Spoken)
	case Silence:
		return s.quiet()
	case MachineDetected:
		return s.machine(in.MessageEnd)
	case Thought:
		return s.thought(in)
	case Unthought:
		return s.fallBack(in.Sorry)
	}
	return nil
}

// pickUp begins the conversation with whoever answered.
func (s *State) pickUp() []Action {
	s.Dialog.forget()
	s.Disclosed = nil
	if s.Inbound != nil {
		s.Dialog.note("The person has called. " + s.knownOfCaller())
	} else {
		s.Dialog.note("The person has answered the phone.")
	}
	if s.Multilingual() {
		s.Dialog.note(s.languageNote())
	}
	for _, text := range s.Dialog.Notes {
		s.Dialog.instruct(text)
	}
	s.Ungreeted = true
	return append(s.introduce(), s.think()...)
}

// introduce says the greeting, unless most of it was heard, and that the call is automated, which nobody can
// cut off.
func (s *State) introduce() (actions []Action) {
	if s.Ungreeted {
		s.Ungreeted = false
		actions = s.tell(true, s.wording().Greeting)
	}
	s.Disclosed = append(slices.Clip(s.Disclosed), s.Speaking())
	return append(actions, s.tell(false, s.wording().Disclosure)...)
}

// disclosed reports whether the disclosure was spoken in the language of the call.
func (s *State) disclosed() bool { return slices.Contains(s.Disclosed, s.Speaking()) }

// checkIntroduced notes that little was played of the greeting, or not all of the disclosure, because who
// interrupts the greeting drops what waits behind it.
func (s *State) checkIntroduced(given, text string) {
	switch w := s.wording(); {
	case given == w.Greeting && 2*words(text) < words(given):
		s.Ungreeted = true
	case given == w.Disclosure && words(text) < words(given):
		s.undisclose()
	}
}

// undisclose notes that the disclosure was not heard in the language of the call.
func (s *State) undisclose() {
	tag := s.Speaking()
	s.Disclosed = slices.DeleteFunc(slices.Clone(s.Disclosed), func(d string) bool { return d == tag })
}

// forget drops what was said to nobody or to a machine.
func (d *Dialog) forget() {
	d.History, d.Unplayed, d.Awaiting, d.Rounds, d.Cut, d.Rest = nil, nil, false, 0, false, ""
	d.Shortened = false
	d.Wish, d.Parting, d.Leaving = nil, false, false
	d.Open, d.Later = nil, nil
}

// listen processes an utterance of the recipient.
func (s *State) listen(in Prompt) []Action {
	heard, said, u := s.hears(in)
	if heard == "" {
		return nil
	}
	if actions, ok := s.who(u, false); ok {
		return actions
	}
	if !s.Person && s.tongue().perhapsVoicemail(u).text != "" { // perhaps voicemail; detection will report it
		return nil
	}
	s.feel(said)
	s.considers(u, said, in)
	if intent, ok := s.unreported(u, said, in.At); ok {
		s.dropAnswer()
		return append([]Action{Flush{}}, s.leave(intent, u, in)...)
	}
	if actions, ok := s.parts(said); ok {
		return actions
	}
	s.wishes(u, said, in)
	s.Dialog.hear(heard)
	switch {
	case !s.disclosed(): // the greeting was interrupted, or the language changed
		return append(s.introduce(), s.think()...)
	case s.asksIfRobot(said):
		return append(s.tell(true, s.automated()), s.think()...)
	case s.asksWhy(u):
		return append(s.tell(true, s.tellWhy()), s.think()...)
	}
	return s.think()
}

// pressed processes a pressed key. Key 9 is handled by optOut.
func (s *State) pressed(key string) []Action {
	if !isKey(key) {
		return nil
	}
	s.Silences, s.Person = 0, true
	s.Dialog.Rounds, s.Dialog.Cut, s.Dialog.Rest = 0, false, ""
	s.Dialog.note("The person pressed the key " + key + ".")
	return s.think()
}

// quiet goes on after an interruption without words, asks whether the recipient is there, and
// ends the call after the last time.
func (s *State) quiet() []Action {
	d := s.Dialog
	switch {
	case d.Cut && !s.disclosed():
		d.Cut, d.Rest = false, ""
		return append(s.introduce(), s.think()...)
	case d.Cut && d.Rest != "":
		rest := d.Rest
		d.Cut, d.Rest = false, ""
		return s.tell(true, rest)
	case d.Cut:
		d.Cut = false
		return s.think()
	case d.Untold: // there is something to say
		return s.think()
	case d.Parting:
		return []Action{s.end(s.farewell())}
	case d.Leaving:
		return s.goodbye(s.farewell(), "")
	}
	s.Silences++
	if s.Silences > s.Script.MaxNudges() {
		return s.goodbye(Unanswered, s.lines().NoAnswer)
	}
	return s.tell(true, s.lines().StillThere)
}

// tell says a text of ours, which the model sees in the history.
func (s *State) tell(interruptible bool, parts ...string) []Action {
	actions := s.speak(interruptible, parts...)
	s.Dialog.pend(s.Saying, len(s.Dialog.History))
	return actions
}

// think asks the model, within the limits of the call.
func (s *State) think() []Action {
	d := s.Dialog
	switch {
	case len(d.Open) > 0: // the model goes on when the results are there
		return nil
	case s.overBudget():
		return s.goodbye(ModelBudget, "")
	case d.Rounds >= maxRounds: // it calls tools and says nothing
		return s.fallBack(false)
	}
	if d.Awaiting {
		s.lost("", uuid.Nil)
	}
	d.shorten()
	d.Awaiting, d.AskedAt, d.Untold, d.Parting = true, len(d.History), false, false
	d.Rounds++
	return []Action{Think{}}
}

// thought processes an answer of the model, whose words were given to the line.
func (s *State) thought(in Thought) []Action {
	d := s.Dialog
	d.Awaiting = false
	d.Turns++
	d.count(Used{in.ConnectionID, in.Usage})
	for _, u := range in.Others {
		d.count(u)
	}
	d.Model, d.ConnectionID = cmp.Or(in.Model, d.Model), in.ConnectionID
	if in.Text != "" {
		d.pend(in.Text, d.AskedAt)
		s.Saying = in.Text
	}
	if in.Withheld != "" || in.Finish == model.Refused {
		why := "The model refused to answer"
		if in.Withheld != "" {
			why = "Left out the model's words: " + in.Withheld
		}
		return append([]Action{Note{why}}, s.declined()...)
	}
	if in.Text != "" {
		d.Refusals = 0
	}
	if len(in.Calls) == 0 {
		if s.Phase == Menu { // it may have nothing to say to a menu
			return nil
		}
		if in.Text == "" || in.Broken { // it said nothing at all, or perhaps half a sentence
			return s.fallBack(false)
		}
		s.notePart(in.Text)
		return nil
	}
	actions := s.runTools(in)
	if !s.Done() && !d.Awaiting {
		s.notePart(in.Text)
	}
	return actions
}

// declined goes on after an answer that was not spoken, or not to its end. After several in a row the agent asks its
// questions, or says goodbye if none are open.
func (s *State) declined() []Action {
	s.Dialog.Refusals++
	switch {
	case s.Dialog.Refusals < maxRefused:
		return s.tell(true, s.lines().Declined)
	case s.Phase != Menu && s.nextOpen(0) < len(s.Script.Questions):
		return s.fallBack(true)
	}
	return s.goodbye(ModelRefused, "")
}

// lost counts what a request used whose answer is dropped. No server tells. Without a connection that is known to
// have answered, it was the agent's first.
func (s *State) lost(answer string, connection uuid.UUID) {
	if connection == uuid.Nil {
		connection = s.Script.Model.ConnectionID
	}
	s.Dialog.count(Used{connection, model.Estimate(s.Request(), utf8.RuneCountInString(answer))})
}

// fallBack asks the open questions in order, because no model answers. Of required and optional questions, it asks the
// required ones, because only a model knows whether the others apply. Sorry means that the recipient was asked to
// repeat already.
func (s *State) fallBack(sorry bool) []Action {
	d := s.Dialog
	d.Awaiting = false
	if s.Phase == Menu { // nobody is there to be asked
		return s.hangUpOn(MenuReached)
	}
	d.Scripted, d.Open, d.Later = true, nil, nil
	s.Unreached = false // the offer of a call was the model's
	open := s.nextOpen(0)
	if open == len(s.Script.Questions) {
		if len(s.Script.Questions) > 0 {
			return s.goodbye(Completed, "")
		}
		return s.goodbye(ModelFailed, s.lines().Trouble)
	}
	alone := Note{"The agent goes on without its model, and asks its open questions"}
	return append([]Action{alone}, s.askOpen(open, sorry)...)
}

// askOpen begins to ask the questions from an open one.
func (s *State) askOpen(open int, sorry bool) []Action {
	s.Question = open
	if !s.asksIn(s.Speaking()) {
		s.switchTo(s.Script.Language)
	}
	if s.Undisclosed = !s.disclosed(); s.Undisclosed { // spoken with the question
		s.Disclosed = append(slices.Clip(s.Disclosed), s.Speaking())
	}
	if s.Heard == 0 || sorry { // without a word of the recipient, there is nothing to repeat
		return s.ask()
	}
	return s.ask(s.wording().NotUnderstood)
}

// asks reports whether a question is to be asked, if the answers lead to it.
func (s *State) asks(q Question) bool {
	return q.IsRequired() || s.Dialog == nil || !s.Dialog.Scripted ||
		!slices.ContainsFunc(s.Script.Questions, Question.IsRequired)
}

// nextOpen is the first question from i that has no answer and is to be asked.
func (s *State) nextOpen(i int) int {
	skipped := s.skipped()
	for ; i < len(s.Script.Questions); i++ {
		if skipped[i] || !s.asks(s.Script.Questions[i]) {
			continue
		}
		if !slices.ContainsFunc(s.Answers, func(a Answer) bool { return a.Key == s.Script.Questions[i].Key }) {
			return i
		}
	}
	return i
}

// hear adds an utterance of the recipient. Several in a row are one message, because every
// one of them began a new request.
func (d *Dialog) hear(text string) {
	d.Rounds, d.Cut, d.Rest = 0, false, ""
	text = unbracket.Replace(text)
	if n := len(d.History); d.Awaiting && n > 0 && d.History[n-1].Role == model.User && !noted(d.History[n-1]) {
		d.History[n-1].Text += " " + text
		return
	}
	d.add(model.Message{Role: model.User, Text: text})
}

// Notes of the telephone system are in brackets, which nobody can speak.
var unbracket = strings.NewReplacer("[", "(", "]", ")")

// note tells the model what happened on the phone.
func (d *Dialog) note(text string) {
	d.add(model.Message{Role: model.User, Text: "[" + text + "]"})
}

func noted(m model.Message) bool { return strings.HasPrefix(m.Text, "[") }

// pend notes a text that was given to the line.
func (d *Dialog) pend(text string, at int) {
	if text != "" {
		d.Unplayed = append(d.Unplayed, utter{Text: text, At: d.place(at)})
	}
}

// played moves a text that was given to the line to the history, as far as it was played. It
// returns what was not.
func (d *Dialog) played(given, text string) (rest string) {
	at := len(d.History)
	if d.Awaiting { // perhaps the beginning of the awaited answer
		at = d.AskedAt
	}
	for i, u := range slices.Backward(d.Unplayed) {
		if u.Text == given {
			at = u.At
			d.Unplayed = slices.Delete(d.Unplayed, i, i+1)
			break
		}
	}
	if text == "" {
		return given
	}
	if all, spoken := strings.Fields(given), words(text); spoken < len(all) {
		rest = strings.Join(all[spoken:], " ")
		text += cutMark
	}
	at = d.place(at)
	d.History = slices.Insert(d.History, at, model.Message{Role: model.Assistant, Text: text})
	for i := range d.Unplayed {
		if d.Unplayed[i].At >= at {
			d.Unplayed[i].At++
		}
	}
	if d.AskedAt >= at {
		d.AskedAt++
	}
	return rest
}

// cutOff notes where the recipient interrupted the agent. An answer that was still coming is
// dropped, so its rest is unknown.
func (s *State) cutOff(in Interrupted) {
	d := s.Dialog
	rest := d.played(in.Given, in.Spoken)
	d.Cut = true
	if d.Awaiting {
		rest = ""
		s.lost(in.Given, in.ConnectionID)
		if words(in.Spoken) >= words(in.Given) { // all that came of the answer, which may be a goodbye
			s.notePart(in.Spoken)
			d.Cut = !d.Parting
		}
	}
	d.Awaiting, d.Rest = false, rest
}

// shorten drops the oldest messages of a long conversation. The results of tools stay with
// their calls.
func (d *Dialog) shorten() {
	size := 0
	for _, m := range d.History {
		size += len(m.Text)
		for _, c := range m.Calls {
			size += len(c.Arguments)
		}
	}
	drop := 0
	for size > maxHistory && len(d.History)-drop > minHistory {
		size -= len(d.History[drop].Text)
		drop++
	}
	if drop == 0 {
		return
	}
	for drop < len(d.History) && d.History[drop].Role == model.Result {
		drop++
	}
	d.History, d.Shortened = slices.Clone(d.History[drop:]), true
	for i := range d.Unplayed {
		d.Unplayed[i].At = max(d.Unplayed[i].At-drop, 0)
	}
}

// clone copies a dialog, so that a step leaves the caller's state unchanged.
func (d *Dialog) clone() *Dialog {
	if d == nil {
		return nil
	}
	c := *d
	c.History, c.Unplayed = slices.Clone(d.History), slices.Clone(d.Unplayed)
	c.Notes = slices.Clone(d.Notes)
	c.Open, c.Later, c.Values = slices.Clone(d.Open), slices.Clone(d.Later), maps.Clone(d.Values)
	return &c
}
