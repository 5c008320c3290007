package evaluation

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call/line"
	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/fault"
)

// Case is a test of an agent.
type Case struct {
	ID        uuid.UUID
	AgentID   uuid.UUID
	Name      string // unique among the cases of an agent
	Content   Content
	CreatedAt time.Time
	UpdatedAt time.Time
}

// CaseInput is a new case, or the replacement of one.
type CaseInput struct {
	Name string `json:"name"`
	Content
}

// Content is what a case does and expects.
type Content struct {
	Recipient Persona         `json:"recipient"`
	Variables json.RawMessage `json:"variables"` // an object, as a campaign's list has them; absent: none
	// LeaveMessage makes the agent leave its message on a voicemail.
	LeaveMessage bool `json:"leave_message"`
	// ToolResults are what tools of the organization and send_message, which are not run, come to, by the tool's
	// name: any JSON. Others come to {"ok": true}.
	ToolResults map[string]json.RawMessage `json:"tool_results"`
	Checks      []Check                    `json:"checks"`
}

// Persona is who answers the call: fixed steps, or a person that a language model plays.
type Persona struct {
	Steps []Step  `json:"steps"`                 // one after each turn of the agent; afterwards the person is silent
	Model *Player `json:"model" nullable:"true"` // instead of steps
}

// Player is a person that a language model plays.
type Player struct {
	Prompt       string `json:"prompt"` // who the person is, what they know and want
	ConnectionID string `json:"connection_id"`
	MaxTurns     int    `json:"max_turns"` // then the person hangs up; 0: DefaultTurns
}

// Step is what the recipient does in one turn.
type Step struct {
	Action Action `json:"action"`
	Text   string `json:"text"`  // of Say and Interrupt: words; of Press: keys
	Words  int    `json:"words"` // of Interrupt: how many words of the agent are heard
}

// Action is what a step does.
type Action string

// Values of Action.
const (
	Say         Action = "say"
	Interrupt   Action = "interrupt" // interrupts the agent, and says something or nothing
	Press       Action = "press"     // presses keys
	StaySilent  Action = "silence"
	HangUp      Action = "hang_up"
	IsVoicemail Action = "voicemail" // the carrier detects a voicemail; its greeting is said before
	Beep        Action = "beep"      // the carrier detects a voicemail whose recording runs

	// What becomes of a transfer that the agent has announced. Without one of these, the person takes the call.
	TakeTransfer    Action = "transfer_taken"
	DeclineTransfer Action = "transfer_declined" // or the person was not reached
)

// Actions are all actions.
var Actions = []Action{
	Say, Interrupt, Press, StaySilent, HangUp, IsVoicemail, Beep, TakeTransfer, DeclineTransfer,
}

// Check is what must be true of a conversation.
type Check struct {
	Kind Kind `json:"kind"`
	// Name is the tool or the field that the check is about.
	Name string `json:"name"`
	// Value is what is expected: see the kinds.
	Value string `json:"value"`
	// ConnectionID is the model that judges, for Judge.
	ConnectionID string `json:"connection_id" nullable:"true"`
}

// Kind is what a check looks at.
type Kind string

// Values of Kind.
const (
	ToolCalled    Kind = "tool_called"     // Value: arguments that it must have, as a JSON object; empty: any
	ToolNotCalled Kind = "tool_not_called" // likewise
	Said          Kind = "said"            // Value: an RE2 expression that one turn of the agent matches
	NotSaid       Kind = "not_said"        // Value: an RE2 expression that no turn of the agent matches
	FieldEquals   Kind = "field_equals"    // Value: the answer as text: "true", "4", "2026-12-24"
	FieldPresent  Kind = "field_present"
	FieldAbsent   Kind = "field_absent"
	EndedReason   Kind = "ended_reason"       // Value: an ended_reason of calls
	OptedOut      Kind = "opted_out"          // and the agent said nothing but the confirmation afterwards
	NotOptedOut   Kind = "not_opted_out"      //
	MaxTurns      Kind = "max_turns"          // Value: how often the agent speaks, at most
	FirstTokenP95 Kind = "first_token_p95_ms" // Value: milliseconds that 95 % of the model's answers keep, at most
	Judge         Kind = "judge"              // Value: a criterion that a model judges
)

// Kinds are all kinds.
var Kinds = []Kind{
	ToolCalled, ToolNotCalled, Said, NotSaid, FieldEquals, FieldPresent, FieldAbsent, EndedReason, OptedOut,
	NotOptedOut, MaxTurns, FirstTokenP95, Judge,
}

// Limits of a case.
const (
	MaxSteps, MaxChecks     = 60, 30
	DefaultTurns, mostTurns = 20, 60
	maxWords, maxPrompt     = 1000, 4000 // characters
	maxValue, maxKeys       = 1000, 20   // characters
	maxInterrupt            = 500        // words
	maxResults              = 30
	maxResult               = 5000 // bytes, as in calls
)

// Validate trims the texts and checks the case. Error: Invalid.
func (c *CaseInput) Validate() error {
	var p fault.Problems
	check.Name(&p, "name", &c.Name)
	c.Content.validate(&p)
	return p.Err()
}

// Check is Validate of a case that was read with problems.
func (c *CaseInput) Check() error { return c.Validate() }

func (c *Content) validate(p *fault.Problems) {
	switch {
	case c.Recipient.Model != nil && len(c.Recipient.Steps) > 0:
		p.Addf("recipient.steps", "must be empty for a recipient that a model plays")
	case c.Recipient.Model != nil:
		c.Recipient.Model.validate(p)
	case len(c.Recipient.Steps) == 0:
		p.Addf("recipient.steps", "required without a recipient that a model plays")
	case len(c.Recipient.Steps) > MaxSteps:
		p.Addf("recipient.steps", "must have at most %d steps", MaxSteps)
	default:
		for i := range c.Recipient.Steps {
			c.Recipient.Steps[i].validate(fmt.Sprintf("recipient.steps[%d]", i), p)
		}
	}
	c.Variables = check.Variables(p, "variables", c.Variables)
	if len(c.ToolResults) > maxResults {
		p.Addf("tool_results", "must be of at most %d tools", maxResults)
	} else {
		for _, name := range slices.Sorted(maps.Keys(c.ToolResults)) {
			if !toolName.MatchString(name) {
				p.Addf("tool_results", "must have names of tools as keys")
				continue
			}
			c.ToolResults[name] = check.JSON(p, "tool_results."+name, c.ToolResults[name], maxResult)
		}
	}
	switch {
	case len(c.Checks) == 0:
		p.Addf("checks", "at least one is required: a test without checks always passes")
	case len(c.Checks) > MaxChecks:
		p.Addf("checks", "must have at most %d checks", MaxChecks)
	default:
		for i := range c.Checks {
			c.Checks[i].validate(fmt.Sprintf("checks[%d]", i), p)
		}
	}
}

func (m *Player) validate(p *fault.Problems) {
	check.RequiredText(p, "recipient.model.prompt", &m.Prompt, maxPrompt)
	check.ID(p, "recipient.model.connection_id", "connection", m.ConnectionID)
	if m.MaxTurns < 0 || m.MaxTurns > mostTurns {
		p.Addf("recipient.model.max_turns", "must be between 1 and %d", mostTurns)
	}
}

// connections are the connections of a case by the path of their fields.
func (c *Content) connections() map[string]uuid.UUID {
	all := map[string]uuid.UUID{}
	if m := c.Recipient.Model; m != nil {
		all["recipient.model.connection_id"], _ = check.ParseID(m.ConnectionID)
	}
	for i, k := range c.Checks {
		if k.Kind == Judge {
			all[fmt.Sprintf("checks[%d].connection_id", i)], _ = check.ParseID(k.ConnectionID)
		}
	}
	return all
}

var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

var keys = regexp.MustCompile(`^[0-9*#]+$`)

func (s *Step) validate(path string, p *fault.Problems) {
	check.Text(p, path+".text", &s.Text, maxWords)
	if s.Action != Interrupt && s.Words != 0 {
		p.Addf(path+".words", "is only for the action interrupt")
	}
	switch s.Action {
	case Say:
		if s.Text == "" {
			p.Addf(path+".text", "required: what the recipient says")
		}
	case Interrupt:
		if s.Words < 0 || s.Words > maxInterrupt {
			p.Addf(path+".words", "must be between 0 and %d", maxInterrupt)
		}
	case Press:
		if !keys.MatchString(s.Text) || len(s.Text) > maxKeys {
			p.Addf(path+".text", "must be 1 to %d of the keys 0 to 9, * and #", maxKeys)
		}
	case StaySilent, HangUp, IsVoicemail, Beep, TakeTransfer, DeclineTransfer:
		if s.Text != "" {
			p.Addf(path+".text", "must be empty for the action %s", s.Action)
		}
	default:
		fault.OneOf(p, path+".action", []Action{s.Action}, Actions)
	}
}

func (c *Check) validate(path string, p *fault.Problems) {
	check.Line(p, path+".name", &c.Name, check.MaxName)
	check.Text(p, path+".value", &c.Value, maxValue)
	named, valued := "", ""
	switch c.Kind {
	case ToolCalled, ToolNotCalled:
		named = "the name of a tool"
		if c.Value != "" && json.Unmarshal([]byte(c.Value), &map[string]any{}) != nil {
			p.Addf(path+".value", "must be empty or a JSON object of arguments")
		}
	case Said, NotSaid:
		valued = "a regular expression"
		if _, err := regexp.Compile(c.Value); err != nil {
			p.Addf(path+".value", "must be a regular expression in RE2 syntax")
		}
	case FieldEquals:
		named, valued = "the key of a field", "the expected value"
	case FieldPresent, FieldAbsent:
		named = "the key of a field"
	case EndedReason:
		valued = "an ended_reason of calls"
		if c.Value != "" {
			check.Known(p, path+".value", c.Value, line.Reasons(), "no conversation ends with this ended_reason")
		}
	case MaxTurns, FirstTokenP95:
		if n, ok := number(c.Value); !ok || n < 1 || n > 100_000 {
			p.Addf(path+".value", "must be a whole number between 1 and 100000")
		}
	case Judge:
		valued = "the criterion"
		check.ID(p, path+".connection_id", "connection", c.ConnectionID)
	case OptedOut, NotOptedOut:
	default:
		fault.OneOf(p, path+".kind", []Kind{c.Kind}, Kinds)
		return
	}
	if named != "" && c.Name == "" {
		p.Addf(path+".name", "required: %s", named)
	}
	if valued != "" && c.Value == "" {
		p.Addf(path+".value", "required: %s", valued)
	}
	if c.Kind != Judge && c.ConnectionID != "" {
		p.Addf(path+".connection_id", "is only for the kind judge")
	}
}
