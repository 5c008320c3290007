package conversation

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

// Model is the part of a script that makes a language model hold the conversation. The
// script's greeting and disclosure are spoken before the model's first word. Its questions
// are the fields that the model collects. If no model answers, they are asked in order, the optional
// ones only if none is required.
type Model struct {
	Instructions string     `json:"instructions"`
	ConnectionID uuid.UUID  `json:"connection_id"`
	FallbackID   *uuid.UUID `json:"fallback_connection_id,omitempty"` // asked when the connection is late or fails
	Temperature  *float64   `json:"temperature,omitempty"`            // nil: the model's default
	AvoidTopics  []string   `json:"avoid_topics,omitempty"`           // words and phrases that are never spoken
	Tools        []ToolName `json:"tools,omitempty"`                  // in addition to those that every agent has

	// HTTPTools are the tools of the organization that the agent has.
	HTTPTools []uuid.UUID `json:"http_tools,omitempty"`
	// Templates are the WhatsApp templates that send_message may send.
	Templates []uuid.UUID `json:"message_templates,omitempty"`
	// HTTP and Messages are what a call knows of them. They are set when a call begins, so that no turn
	// reads them.
	HTTP     []HTTPTool        `json:"http,omitempty"`
	Messages []MessageTemplate `json:"messages,omitempty"`

	// Limits of one call. 0: the default.
	MaxTurns     int `json:"max_turns,omitempty"`      // answers of the model
	MaxTokens    int `json:"max_tokens,omitempty"`     // of all requests and answers
	MaxToolCalls int `json:"max_tool_calls,omitempty"` // over all answers
	MaxSeconds   int `json:"max_seconds,omitempty"`    // since the call was answered; 0: only the call's own maximum
}

// Limits of a call with a model: the defaults and what may be set.
const (
	DefaultModelTurns, minModelTurns, maxModelTurns    = 60, 1, 500
	DefaultModelTokens, minModelTokens, maxModelTokens = 100_000, 1000, 5_000_000
	DefaultToolCalls, minToolCalls, maxToolCalls       = 20, 1, 200

	minModelSeconds, maxModelSeconds = 30, 14_400
)

const (
	maxInstructions = 8000
	maxAvoided      = 50
	maxAvoidedText  = 80
)

// validate records each problem under the path of the value.
func (m Model) validate(path func(format string, args ...any) string, p *fault.Problems) {
	text(p, path("model.instructions"), m.Instructions, true, maxInstructions)
	if m.ConnectionID == uuid.Nil {
		p.Addf(path("model.connection_id"), "required")
	}
	if m.FallbackID != nil && *m.FallbackID == m.ConnectionID {
		p.Addf(path("model.fallback_connection_id"), "must be another connection")
	}
	if m.Temperature != nil && (*m.Temperature < 0 || *m.Temperature > 2) {
		p.Addf(path("model.temperature"), "must be between 0 and 2")
	}
	for _, limit := range []struct {
		name            string
		value, min, max int
	}{
		{"max_turns", m.MaxTurns, minModelTurns, maxModelTurns},
		{"max_tokens", m.MaxTokens, minModelTokens, maxModelTokens},
		{"max_tool_calls", m.MaxToolCalls, minToolCalls, maxToolCalls},
		{"max_seconds", m.MaxSeconds, minModelSeconds, maxModelSeconds},
	} {
		if limit.value != 0 && (limit.value < limit.min || limit.value > limit.max) {
			p.Addf(path("model.%s", limit.name), "must be between %d and %d, or 0 for the default",
				limit.min, limit.max)
		}
	}
	if len(m.AvoidTopics) > maxAvoided {
		p.Addf(path("model.avoid_topics"), "must have at most %d topics", maxAvoided)
		return
	}
	for i, topic := range m.AvoidTopics {
		at := path("model.avoid_topics[%d]", i)
		before := p.Len()
		if text(p, at, topic, true, maxAvoidedText); p.Len() > before {
			continue
		}
		switch {
		case strings.Contains(topic, "{{"):
			p.Addf(at, "must not contain variables")
		case len(flatten(clauses(topic))) == 0:
			p.Addf(at, "must contain a word")
		}
	}
	for i, name := range m.Tools {
		if !name.optional() {
			p.Addf(path("model.tools[%d]", i), "must be one of %s", toolList())
		}
	}
	m.validateChosen(path, p)
}

// Limits of what an agent has of its organization.
const (
	maxHTTPTools = 20
	maxTemplates = 20
)

// validateChosen checks the choice of tools and templates of the organization.
func (m Model) validateChosen(path func(format string, args ...any) string, p *fault.Problems) {
	for _, chosen := range []struct {
		name, noun string
		ids        []uuid.UUID
		most       int
	}{
		{"http_tools", "tools", m.HTTPTools, maxHTTPTools},
		{"message_templates", "templates", m.Templates, maxTemplates},
	} {
		if len(chosen.ids) > chosen.most {
			p.Addf(path("model.%s", chosen.name), "must have at most %d %s", chosen.most, chosen.noun)
			continue
		}
		for i, id := range chosen.ids {
			if slices.Contains(chosen.ids[:i], id) {
				p.Addf(path("model.%s[%d]", chosen.name, i), "must not repeat an earlier one")
			}
		}
	}
	sends := slices.Contains(m.Tools, SendMessage)
	switch {
	case sends && len(m.Templates) == 0:
		p.Addf(path("model.message_templates"), "at least one is required to send messages")
	case !sends && len(m.Templates) > 0:
		p.Addf(path("model.message_templates"), "is only for the tool send_message")
	}
}

// MaxTime is how long the call may last after the answer until the next TimeUp, or 0. A machine, a person who asked to
// wait and an ending conversation have limits of their own.
func (s State) MaxTime() time.Duration {
	if s.Dialog == nil || s.Phase != Talking {
		return 0
	}
	return time.Duration(s.Script.Model.MaxSeconds) * time.Second
}

// timeUp ends the call politely, whatever the agent was saying.
func (s *State) timeUp() []Action {
	if s.MaxTime() == 0 {
		return nil
	}
	if s.Dialog.Awaiting {
		s.lost("", uuid.Nil)
		s.Dialog.Awaiting = false
	}
	return append([]Action{Flush{}}, s.goodbye(ModelBudget, "")...)
}

// overBudget reports whether the model has used what one call may use.
func (s *State) overBudget() bool {
	m, d := s.Script.Model, s.Dialog
	return d.Turns >= cmp.Or(m.MaxTurns, DefaultModelTurns) ||
		d.Usage.Input+d.Usage.Output >= cmp.Or(m.MaxTokens, DefaultModelTokens) ||
		d.ToolCalls >= cmp.Or(m.MaxToolCalls, DefaultToolCalls)
}
