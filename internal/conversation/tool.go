package conversation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dialwright/dialwright/internal/model"
)

// ToolName is the name of a tool, as the model sees it.
type ToolName string

// The tools of agents. Every agent has the first ones.
const (
	EndCall          ToolName = "end_call"
	OptOutTool       ToolName = "opt_out"
	RecordAnswerTool ToolName = "record_answer"
	ScheduleCallback ToolName = "schedule_callback"
	ReportPerson     ToolName = "report_person"
	RequestFollowUp  ToolName = "request_follow_up"
	SendMessage      ToolName = "send_message"
	PressDigits      ToolName = "press_digits"

	// SwitchLanguageTool is a tool of agents with several languages.
	SwitchLanguageTool ToolName = "switch_language"
	// TransferTool is a tool of agents with destinations.
	TransferTool ToolName = "transfer"
)

// OptionalTools are the tools that an agent has only if its settings name them.
func OptionalTools() []ToolName {
	return []ToolName{ScheduleCallback, ReportPerson, RequestFollowUp, SendMessage, PressDigits}
}

// BuiltInTools are the names of all tools of the product.
func BuiltInTools() []string {
	names := make([]string, len(toolbox))
	for i, t := range toolbox {
		names[i] = string(t.name)
	}
	return names
}

// Reserved reports whether a name is that of a tool of the product.
func Reserved(name string) bool { return slices.Contains(BuiltInTools(), name) }

func (n ToolName) optional() bool { return slices.Contains(OptionalTools(), n) }

func toolList() string {
	var names []string
	for _, n := range OptionalTools() {
		names = append(names, string(n))
	}
	return strings.Join(names, ", ")
}

// tool is a tool of the product. run carries out a valid call. It returns the result for the
// model, or an error that the model can correct.
type tool struct {
	name        ToolName
	description string
	parameters  func(s State) map[string]any // the properties of the arguments; all are required
	// madeOf is all of the state that parameters reads, as a list. Nil: nothing, they are the same in every call.
	madeOf func(s State) []string
	run    func(s *State, arguments []byte, said Thought) (effect, error)
	// begin is run for a tool that takes time. It opens the call.
	begin func(s *State, call model.ToolCall) error
}

// effect is what a call of a tool came to.
type effect struct {
	result  map[string]any
	actions []Action
	silent  bool // the model need not hear of the result if it has spoken already
	waits   bool // for the other side, and the model has nothing to say until then
}

var toolbox = []tool{
	{
		name: EndCall,
		description: "Ends the call. Say goodbye in the same answer. Use not_interested when the person does not " +
			"want to talk about this.",
		parameters: func(State) map[string]any {
			return map[string]any{
				"reason": map[string]any{"type": "string", "enum": []string{"done", "not_interested"}},
			}
		},
		run: endCall,
	},
	{
		name: OptOutTool,
		description: "Puts the number on the do-not-call list and ends the call, when the person does not want to be " +
			"called again. Say nothing in the same answer. The person hears a confirmation.",
		parameters: func(State) map[string]any { return map[string]any{} },
		run:        optOutByTool,
	},
	{
		name:        RecordAnswerTool,
		description: "Records the value of a field, as the person said it. A later call replaces an earlier value.",
		madeOf:      State.questionKeys,
		parameters: func(s State) map[string]any {
			return map[string]any{
				"key":   map[string]any{"type": "string", "enum": s.questionKeys()},
				"value": map[string]any{"type": []string{"string", "number", "boolean"}},
				"quote": map[string]any{"type": "string", "description": "the words of the person"},
			}
		},
		run: recordAnswer,
	},
	{
		name: ScheduleCallback,
		description: "Notes that the person wants to be called at another time. Then say goodbye and call end_call. " +
			"at is local to the person, such as 2026-03-31T15:30, and empty without a time. named is what the person " +
			"named of it. For \"tomorrow afternoon\", at is your guess and named is part_of_day. " +
			"Never promise an hour that the person did not name.",
		parameters: func(State) map[string]any {
			return map[string]any{
				"at":    map[string]any{"type": "string"},
				"named": map[string]any{"type": "string", "enum": append([]Leeway{anHour}, leeways...)},
			}
		},
		run: scheduleCallback,
	},
	{
		name: ReportPerson,
		description: "Ends the call because of who answered: wrong_person (the number is somebody else's), deceased " +
			"(the recipient has died), minor (a child), busy (no time now), wants_human (wants to talk to a human " +
			"being). Say nothing in the same answer. The person hears a goodbye.",
		parameters: func(State) map[string]any {
			return map[string]any{"who": map[string]any{"type": "string", "enum": reportable}}
		},
		run: reportPerson,
	},
	{
		name: RequestFollowUp,
		description: "Leaves a note for the people of the organization, who get back to the person after the call. " +
			"Use it when you cannot answer a question, are not sure, or cannot do what the person wants. Then say " +
			"that somebody gets back to them, and go on.",
		parameters: func(State) map[string]any {
			return map[string]any{
				"need": map[string]any{"type": "string", "description": "what the person wants, in one sentence"},
			}
		},
		run: requestFollowUp,
	},
	{
		name: SwitchLanguageTool,
		description: "Continues the call in another language, with its voice, when the person speaks it or asks for " +
			"it. Say nothing in the same answer.",
		madeOf: func(s State) []string { return s.Script.Tags() },
		parameters: func(s State) map[string]any {
			return map[string]any{"language": map[string]any{"type": "string", "enum": s.Script.Tags()}}
		},
		run: switchLanguage,
	},
	{
		name: TransferTool,
		description: "Connects the person with a human being at one of the destinations, when they ask for a " +
			"human or the instructions say so. Say nothing in the same answer. The person hears an announcement.",
		madeOf:     madeOfTransfer,
		parameters: transferParameters,
		run:        transferByTool,
	},
	{
		name: SendMessage,
		description: "Sends the person a WhatsApp message after they agreed to it. It is not sent to another number. " +
			"The result says whether it was queued. Never say that it was sent before you know.",
		madeOf:     madeOfMessages,
		parameters: messageParameters,
		begin:      sendMessage,
	},
	{
		name: PressDigits,
		description: "Presses keys of the telephone, only to choose in a phone menu that asks for them: 0 to 9, *, # " +
			"and w for a pause of half a second.",
		parameters: func(State) map[string]any {
			return map[string]any{
				"digits": map[string]any{"type": "string", "pattern": "^[0-9*#w]{1,20}$"},
			}
		},
		run: pressDigits,
	},
}

// questionKeys are the keys of the questions, in order.
func (s State) questionKeys() []string {
	keys := make([]string, len(s.Script.Questions))
	for i, q := range s.Script.Questions {
		keys[i] = q.Key
	}
	return keys
}

func switchLanguage(s *State, text []byte, _ Thought) (effect, error) {
	var a struct{ Language string }
	if err := arguments(text, &a); err != nil {
		return effect{}, err
	}
	tags := s.Script.Tags()
	if !slices.Contains(tags, a.Language) {
		return effect{}, fmt.Errorf("language must be one of %s", strings.Join(tags, ", "))
	}
	result := map[string]any{"language": a.Language}
	if a.Language == s.Speaking() {
		return effect{result: result}, nil
	}
	s.Switched, s.Language = s.Speaking(), a.Language
	return effect{result: result}, nil
}

var reportable = []Intent{WrongPerson, Deceased, Minor, Busy, WantsHuman}

// has reports whether the agent's settings give a tool to its model.
func (s Script) has(t tool) bool {
	switch t.name {
	case RecordAnswerTool:
		return len(s.Questions) > 0
	case SwitchLanguageTool:
		return len(s.Languages) > 0
	case TransferTool:
		return s.Transfer != nil
	}
	return !t.name.optional() || slices.Contains(s.Model.Tools, t.name)
}

// ToolNames are the names of the tools that the agent's settings give to its model, and of Model.HTTP. A scripted agent
// has none.
func (s Script) ToolNames() []string {
	var names []string
	if s.Model == nil {
		return names
	}
	for _, t := range toolbox {
		if s.has(t) {
			names = append(names, string(t.name))
		}
	}
	for _, t := range s.Model.HTTP {
		names = append(names, t.Name)
	}
	return names
}

// offered reports whether the agent has a tool on this call.
func (s *State) offered(t tool) bool {
	if t.name == SendMessage && len(s.Script.Model.Messages) == 0 { // its templates are gone
		return false
	}
	if t.name == TransferTool { // unless its destinations are gone
		keys, _ := s.destinationKeys()
		return len(keys) > 0
	}
	return s.Script.has(t)
}

// tools are the tools of the agent, as the model sees them.
func (s State) tools() []model.Tool {
	var all []model.Tool
	for _, t := range toolbox {
		if !s.offered(t) {
			continue
		}
		all = append(all, model.Tool{Name: string(t.name), Description: t.description, Parameters: s.schema(t)})
	}
	for _, t := range s.Script.Model.HTTP {
		all = append(all, model.Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters})
	}
	return all
}

// runTools carries out the calls of an answer, in order. After one that ends the call, the
// others are dropped. The model goes on when the results of all are there.
func (s *State) runTools(in Thought) []Action {
	d := s.Dialog
	d.History = append(d.History, model.Message{Role: model.Assistant, Calls: in.Calls})
	var actions []Action
	spoken := s.Speaking()
	listens, waits := false, false
	for _, call := range in.Calls {
		if s.Done() || s.Phase == Transferring {
			break
		}
		d.ToolCalls++
		d.ToolErrors++
		e, err := s.runTool(call, in)
		if err == nil {
			d.ToolErrors = 0
			actions = append(actions, UsedTool{Name: call.Name})
		} else {
			e.result = map[string]any{"error": err.Error()}
		}
		if e.result != nil {
			d.History = append(d.History, model.Message{
				Role: model.Result, CallID: call.ID, Text: string(encoded(e.result)),
			})
		}
		listens = listens || err != nil || !e.silent
		waits = waits || e.waits
		actions = append(actions, e.actions...)
	}
	listens = listens || in.Text == "" && !waits // the model must go on, because the person has heard nothing
	switch {
	case s.Done(), s.Phase == Transferring:
		d.Open = nil
		return actions
	case len(d.Open) > 0:
		if s.Speaking() != spoken {
			d.note(s.languageNote())
		}
		return append(actions, s.meanwhile(in)...)
	case !listens:
		return actions
	case d.ToolErrors >= maxToolErrors:
		return append(actions, s.fallBack(false)...)
	}
	if s.Speaking() != spoken {
		d.note(s.languageNote())
	}
	if !s.disclosed() && s.Phase != Menu {
		actions = append(actions, s.introduce()...)
	}
	return append(actions, s.think()...)
}

// meanwhile says what the first tool that runs wants to be said, unless the model has spoken.
func (s *State) meanwhile(in Thought) []Action {
	if in.Text != "" || s.Phase == Menu {
		return nil
	}
	for _, call := range s.Dialog.Open {
		for _, t := range s.Script.Model.HTTP {
			if t.ID == call.ToolID && t.Say != "" {
				return s.tell(true, t.Say)
			}
		}
	}
	return nil
}

// encoded returns a value of the product's own types as JSON.
func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("conversation: a value for the model cannot be encoded: " + err.Error()) // only fixed types
	}
	return text
}

func (s *State) runTool(call model.ToolCall, in Thought) (effect, error) {
	if s.Dialog.ToolCalls > cmp.Or(s.Script.Model.MaxToolCalls, DefaultToolCalls) {
		return effect{}, errors.New("this call may use no more tools")
	}
	for _, t := range s.Script.Model.HTTP {
		if t.Name == call.Name {
			return effect{silent: true}, t.begin(s, call)
		}
	}
	i := slices.IndexFunc(toolbox, func(t tool) bool { return string(t.name) == call.Name && s.offered(t) })
	switch {
	case i < 0:
		return effect{}, fmt.Errorf("there is no tool %q", limit(call.Name, 64))
	case toolbox[i].begin != nil:
		return effect{silent: true}, toolbox[i].begin(s, call)
	}
	return toolbox[i].run(s, []byte(call.Arguments), in)
}

// arguments reads the arguments of a call. Its error names what is wrong.
func arguments(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("the arguments are not valid: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

func endCall(s *State, text []byte, in Thought) (effect, error) {
	var a struct{ Reason string }
	if err := arguments(text, &a); err != nil {
		return effect{}, err
	}
	ending := Completed
	switch {
	case s.Intent != "":
		ending = Ending(s.Intent)
	case a.Reason == "not_interested" && s.Dialog.Wish != nil:
		ending = s.farewell()
	case a.Reason == "not_interested":
		ending = SaidGoodbye
	case a.Reason != "done":
		return effect{}, fmt.Errorf("reason must be done or not_interested")
	}
	if in.Text == "" {
		return effect{actions: s.goodbye(ending, "")}, nil
	}
	return effect{actions: []Action{s.end(ending)}}, nil
}

func optOutByTool(s *State, _ []byte, _ Thought) (effect, error) {
	if s.withheld() {
		return effect{actions: s.cannotOptOut()}, nil
	}
	s.OptedOut = BySpeech
	out := OptOut{How: BySpeech, Text: s.lastHeard()}
	return effect{actions: append([]Action{out}, s.goodbye(OptedOut, s.lines().OptedOut)...)}, nil
}

// lastHeard is the last utterance of the recipient.
func (s *State) lastHeard() string {
	for _, m := range slices.Backward(s.Dialog.History) {
		if m.Role == model.User && !noted(m) {
			return m.Text
		}
	}
	return ""
}

func recordAnswer(s *State, text []byte, _ Thought) (effect, error) {
	var a struct {
		Key   string
		Value any
		Quote string
	}
	if err := arguments(text, &a); err != nil {
		return effect{}, err
	}
	if s.Phase == Menu {
		return effect{}, errors.New("nobody has answered yet")
	}
	i := s.questionAt(a.Key)
	if i < 0 {
		return effect{}, fmt.Errorf("there is no field %q", limit(a.Key, 64))
	}
	value, err := s.Script.Questions[i].Accept(a.Value, s.Region)
	if err != nil {
		return effect{}, fmt.Errorf("%s: %w", a.Key, err)
	}
	answer := Answer{Key: a.Key, Value: value, Text: Clean(a.Quote)}
	if at := slices.IndexFunc(s.Answers, func(b Answer) bool { return b.Key == a.Key }); at >= 0 {
		s.Answers = slices.Clone(s.Answers)
		s.Answers[at] = answer
	} else {
		s.Answers = append(s.Answers, answer)
	}
	s.prove()
	s.Dialog.Wish = nil
	open := []string{}
	for i := s.nextOpen(0); i < len(s.Script.Questions); i = s.nextOpen(i + 1) {
		open = append(open, s.Script.Questions[i].Key)
	}
	result := map[string]any{"recorded": value, "fields_without_value": open}
	if b := s.Script.Questions[i].branch(value); b != nil {
		s.tellBranch(*b, result)
	}
	return effect{
		result:  result,
		actions: []Action{RecordAnswer(answer)},
		silent:  true,
	}, nil
}

func reportPerson(s *State, text []byte, _ Thought) (effect, error) {
	var a struct{ Who Intent }
	if err := arguments(text, &a); err != nil {
		return effect{}, err
	}
	if !slices.Contains(reportable, a.Who) {
		return effect{}, fmt.Errorf("who must be one of wrong_person, deceased, minor, busy, wants_human")
	}
	s.Intent = a.Who
	return effect{actions: s.goodbye(Ending(a.Who), s.parting(a.Who))}, nil
}

// digits are keys of a telephone and pauses.
var digits = regexp.MustCompile(`^[0-9*#w]{1,20}$`)

func pressDigits(s *State, text []byte, _ Thought) (effect, error) {
	var a struct{ Digits string }
	if err := arguments(text, &a); err != nil {
		return effect{}, err
	}
	if !digits.MatchString(a.Digits) {
		return effect{}, errors.New("digits must be 1 to 20 of 0 to 9, *, # and w")
	}
	return effect{
		result:  map[string]any{"pressed": a.Digits},
		actions: []Action{Press{Digits: a.Digits}},
		silent:  true,
		waits:   true,
	}, nil
}
