package evaluation

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/conversation"
)

// Verdict is what a check found.
type Verdict string

// Values of Verdict. Only Pass passes.
const (
	Pass  Verdict = "pass"
	Fail  Verdict = "fail"
	Maybe Verdict = "maybe" // of a judge that is not sure
)

// Finding is a check with its verdict.
type Finding struct {
	Check
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
}

// Result is what a conversation of a test came to.
type Result struct {
	Turns        []Turn         `json:"turns"`
	Tools        []ToolUse      `json:"tools"`
	Fields       map[string]any `json:"fields"`
	EndedReason  call.Reason    `json:"ended_reason"`
	OptedOut     bool           `json:"opted_out"`
	AgentTurns   int            `json:"agent_turns"`
	FirstTokenMS *int           `json:"first_token_p95_ms"` // nil: no model answered
	// InputTokens and OutputTokens are those of the agent, of the recipient and of the judges.
	InputTokens  int       `json:"input_tokens"`
	OutputTokens int       `json:"output_tokens"`
	Findings     []Finding `json:"checks"`

	used []conversation.Used // by connection
}

// uses counts tokens.
func (r *Result) uses(u conversation.Used) {
	r.InputTokens += u.Usage.Input
	r.OutputTokens += u.Usage.Output
	r.used = append(r.used, u)
}

// Passed reports whether every check passed.
func (r Result) Passed() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Verdict != Pass })
}

// Spoken is a value as a check compares it.
func Spoken(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

func number(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// resultOfTalk collects what the checks look at.
func resultOfTalk(t *Talk) Result {
	r := Result{
		Turns:       t.Turns,
		Tools:       append([]ToolUse{}, t.Tools...),
		Fields:      map[string]any{},
		EndedReason: t.Ended(),
		OptedOut:    t.State.OptedOut != "",
		AgentTurns:  t.Agent,
		Findings:    []Finding{},
	}
	for _, a := range t.State.Answers {
		if a.Value != nil {
			r.Fields[a.Key] = a.Value
		}
	}
	for _, u := range usesOf(t) {
		r.uses(u)
	}
	if n := len(t.FirstTokens); n > 0 {
		sorted := slices.Sorted(slices.Values(t.FirstTokens))
		r.FirstTokenMS = &sorted[(n*95+99)/100-1]
	}
	return r
}

// judgement asks a model whether a conversation meets a criterion.
type judgement func(ctx context.Context, c Check, r *Result) (Verdict, string)

// examine runs the checks on a result.
func (r *Result) examine(ctx context.Context, t *Talk, checks []Check, judge judgement) {
	for _, c := range checks {
		f := Finding{Check: c}
		if c.Kind == Judge {
			f.Verdict, f.Reason = judge(ctx, c, r)
		} else {
			passed, reason := r.check(c, t)
			f.Verdict, f.Reason = Fail, reason
			if passed {
				f.Verdict = Pass
			}
		}
		r.Findings = append(r.Findings, f)
	}
}

// check runs a check that needs no model. The reason says what was found.
func (r *Result) check(c Check, t *Talk) (passed bool, reason string) {
	if reason := c.outdated(t.State.Script); reason != "" {
		return false, reason
	}
	switch c.Kind {
	case ToolCalled, ToolNotCalled:
		called := r.called(c)
		if called == nil {
			return c.Kind == ToolNotCalled, "The agent did not call " + c.Name + with(c.Value)
		}
		return c.Kind == ToolCalled, "The agent called " + c.Name + " with " + string(called.Arguments)
	case Said, NotSaid:
		said := r.said(c.Value)
		if said == "" {
			return c.Kind == NotSaid, "No words of the agent match"
		}
		return c.Kind == Said, "The agent said: " + said
	case FieldEquals:
		value, known := r.Fields[c.Name]
		if !known {
			return false, t.missing(c.Name)
		}
		return strings.EqualFold(Spoken(value), c.Value), "The value is " + Spoken(value)
	case FieldPresent, FieldAbsent:
		value, known := r.Fields[c.Name]
		if !known {
			return c.Kind == FieldAbsent, t.missing(c.Name)
		}
		return c.Kind == FieldPresent, "The value is " + Spoken(value)
	case EndedReason:
		return string(r.EndedReason) == c.Value, "The call ended with " + string(r.EndedReason)
	case OptedOut, NotOptedOut:
		if !r.OptedOut {
			return c.Kind == NotOptedOut, "The recipient did not opt out"
		}
		if after := t.Agent - t.OptedOut; c.Kind == OptedOut && after > 0 {
			return false, "The recipient opted out, and the agent spoke again after the confirmation"
		}
		return c.Kind == OptedOut, "The recipient opted out"
	case MaxTurns:
		most, _ := number(c.Value)
		return r.AgentTurns <= most, "The agent spoke " + strconv.Itoa(r.AgentTurns) + " times"
	case FirstTokenP95:
		most, _ := number(c.Value)
		if r.FirstTokenMS == nil {
			return false, "No model answered"
		}
		return *r.FirstTokenMS <= most, "It took " + strconv.Itoa(*r.FirstTokenMS) + " ms"
	case Judge:
	}
	return false, "The kind of the check is unknown"
}

// missing says why a field has no value.
func (t *Talk) missing(key string) string {
	if slices.Contains(t.State.Skipped(), key) {
		return "The field does not apply after the answers given"
	}
	return "The field has no value"
}

func with(arguments string) string {
	if arguments == "" {
		return ""
	}
	return " with " + arguments
}

// called returns the first call of the tool of a check that has its arguments, or nil.
func (r *Result) called(c Check) *ToolUse {
	wanted := map[string]any{}
	_ = json.Unmarshal([]byte(c.Value), &wanted) // validated
	for i, tool := range r.Tools {
		given := map[string]any{}
		if tool.Name != c.Name || json.Unmarshal(tool.Arguments, &given) != nil {
			continue
		}
		matches := true
		for name, value := range wanted {
			matches = matches && reflect.DeepEqual(given[name], value)
		}
		if matches {
			return &r.Tools[i]
		}
	}
	return nil
}

// said returns the first words of the agent that match an expression.
func (r *Result) said(expression string) string {
	re, err := regexp.Compile(expression)
	if err != nil {
		return ""
	}
	for _, t := range r.Turns {
		if t.Role == call.Agent && re.MatchString(t.Text) {
			return t.Text
		}
	}
	return ""
}

// variables are the variables of a call with the case's values.
func (c Content) variables(agent, organization string) (map[string]any, error) {
	given := map[string]any{}
	if len(c.Variables) > 0 {
		if err := json.Unmarshal(c.Variables, &given); err != nil {
			return nil, fmt.Errorf("read the variables of a test case: %w", err)
		}
	}
	return conversation.Known{Agent: agent, Organization: organization}.Variables(given), nil
}
