package settings

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// modelChoices are the organization's model connections, for an agent to choose from.
func (s *Server) modelChoices(r *http.Request) ([]ui.Option, error) {
	list, err := page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, s.Models.List)
	if err != nil {
		return nil, err
	}
	options := make([]ui.Option, len(list))
	for i, c := range list {
		options[i] = ui.Option{Value: c.ID.String(), Label: c.Name + " (" + c.Model + ")"}
		if c.Failing() {
			options[i].Label += ", failing"
		}
	}
	return options, nil
}

// agentChoices adds to the form of an agent what it can choose from. known are all of them by name.
func (s *Server) agentChoices(r *http.Request, v *views.AgentModelForm) (known []ui.Option, err error) {
	if v.Connections, err = s.modelChoices(r); err != nil {
		return nil, err
	}
	if v.ToolChoices, err = s.toolChoices(r); err != nil {
		return nil, err
	}
	if v.TemplateChoices, err = s.templateChoices(r); err != nil {
		return nil, err
	}
	destinations, err := s.DestinationOptions(r, nil)
	if err != nil {
		return nil, err
	}
	return slices.Concat(v.Connections, v.ToolChoices, v.TemplateChoices, destinations), nil
}

// agentModelForm shows the settings of an agent's model. Nil is a scripted agent.
func agentModelForm(m *conversation.Model) (v views.AgentModelForm) {
	if m == nil {
		return v
	}
	limit := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	v = views.AgentModelForm{
		Instructions: m.Instructions, ConnectionID: m.ConnectionID.String(),
		AvoidTopics: strings.Join(m.AvoidTopics, "\n"), Temperature: frame.WrittenFloat(m.Temperature),
		MaxTurns: limit(m.MaxTurns), MaxTokens: limit(m.MaxTokens), MaxToolCalls: limit(m.MaxToolCalls),
		MaxSeconds: limit(m.MaxSeconds),
	}
	if m.FallbackID != nil {
		v.FallbackID = m.FallbackID.String()
	}
	for _, tool := range m.Tools {
		v.Tools = append(v.Tools, string(tool))
	}
	for _, id := range m.HTTPTools {
		v.HTTPTools = append(v.HTTPTools, id.String())
	}
	for _, id := range m.Templates {
		v.Templates = append(v.Templates, id.String())
	}
	return v
}

// readAgentModel reads the part of the form of an agent. It drops empty lines, so that the numbers of the topics are
// those of the lines.
func readAgentModel(form url.Values) views.AgentModelForm {
	return views.AgentModelForm{
		Instructions: form.Get("model.instructions"), ConnectionID: form.Get("model.connection_id"),
		FallbackID: form.Get("model.fallback_connection_id"), Tools: form["model.tools"],
		HTTPTools: form["model.http_tools"], Templates: form["model.message_templates"],
		AvoidTopics: strings.Join(frame.FilledLines(form.Get("model.avoid_topics")), "\n"),
		MaxTurns:    form.Get("model.max_turns"), MaxTokens: form.Get("model.max_tokens"),
		MaxToolCalls: form.Get("model.max_tool_calls"), MaxSeconds: form.Get("model.max_seconds"),
		Temperature: form.Get("model.temperature"),
	}
}

// agentModel returns the settings of a form. A scripted agent has none.
func agentModel(v views.AgentForm, p *fault.Problems) *conversation.Model {
	switch v.Kind {
	case string(project.ModelHeld):
	case "", string(project.Scripted):
		return nil
	default:
		p.Addf("kind", "must be scripted or model")
		return nil
	}
	limit := func(path, text string) int {
		if n := frame.OptionalInt(p, path, text); n != nil {
			return *n
		}
		return 0
	}
	m := &conversation.Model{
		Instructions: strings.ReplaceAll(v.Model.Instructions, "\r\n", "\n"),
		AvoidTopics:  frame.FilledLines(v.Model.AvoidTopics),
		Temperature:  frame.OptionalFloat(p, "model.temperature", v.Model.Temperature),
		MaxTurns:     limit("model.max_turns", v.Model.MaxTurns),
		MaxTokens:    limit("model.max_tokens", v.Model.MaxTokens),
		MaxToolCalls: limit("model.max_tool_calls", v.Model.MaxToolCalls),
		MaxSeconds:   limit("model.max_seconds", v.Model.MaxSeconds),
	}
	// A malformed ID is refused like an unknown ID.
	m.ConnectionID, _ = check.ParseID(v.Model.ConnectionID)
	if v.Model.FallbackID != "" {
		id, _ := check.ParseID(v.Model.FallbackID)
		m.FallbackID = &id
	}
	for _, tool := range v.Model.Tools {
		m.Tools = append(m.Tools, conversation.ToolName(tool))
	}
	for _, text := range v.Model.HTTPTools {
		id, _ := check.ParseID(text)
		m.HTTPTools = append(m.HTTPTools, id)
	}
	for _, text := range v.Model.Templates {
		id, _ := check.ParseID(text)
		m.Templates = append(m.Templates, id)
	}
	return m
}

// keptModel returns what the form of a scripted agent says about a model.
func keptModel(v views.AgentForm, questions []conversation.Question) *project.Kept {
	if v.Kind == string(project.ModelHeld) {
		return nil
	}
	v.Kind = string(project.ModelHeld)
	var p fault.Problems
	script := conversation.Script{
		Model: agentModel(v, &p), Languages: translations(v), Questions: slices.Clone(questions),
	}
	if p.Len() > 0 {
		return nil
	}
	for i := range script.Questions {
		q := &script.Questions[i]
		if q.Asks = entered(v.Questions[i].Asks, script.Languages); q.Expect == conversation.Choice {
			q.TranslatedOptions = translatedOptions(v.Questions[i], script.Languages)
		}
		q.Branches = slices.Clone(q.Branches)
		for j := range q.Branches {
			q.Branches[j].Says = entered(v.Questions[i].Branches[j].Says, script.Languages)
		}
	}
	return project.KeptOf(script)
}

// modelFields are the fields of an agent's model, in the order of the form.
var modelFields = []string{
	"instructions", "connection_id", "fallback_connection_id", "tools", "http_tools", "message_templates",
	"avoid_topics", "max_turns", "max_tokens", "max_tool_calls", "max_seconds", "temperature",
}

// modelChanges splits the change of a whole model, which comes with a change of the kind, into its fields.
func modelChanges(c project.Change) (changes []project.Change) {
	before, _ := c.Before.(map[string]any)
	after, _ := c.After.(map[string]any)
	for _, field := range modelFields {
		one := project.Change{Field: "model." + field, Before: before[field], After: after[field]}
		unset := func(v any) bool { return valueWords(v) == "" || v == 0.0 && field != "temperature" }
		if !unset(one.Before) || !unset(one.After) {
			changes = append(changes, one)
		}
	}
	return changes
}

// agentWords returns the value of an agent's field for people: names for the IDs of connections, kinds, tools and
// destinations. Known are the connections, tools, templates and destinations by name.
func agentWords(field string, value any, known []ui.Option) string {
	switch field {
	case "kind":
		return views.AgentKindLabel(valueWords(value))
	case "model.connection_id", "model.fallback_connection_id", "analysis.connection_id":
		id := valueWords(value)
		for _, c := range known {
			if c.Value == id {
				return c.Label
			}
		}
		if id != "" {
			return "a connection that was removed"
		}
	case "model.tools":
		tools, _ := value.([]any)
		words := make([]string, len(tools))
		for i, tool := range tools {
			words[i] = views.AgentToolLabel(valueWords(tool))
		}
		return strings.Join(words, ", ")
	case "model.http_tools", "model.message_templates":
		ids, _ := value.([]any)
		words := make([]string, len(ids))
		for i, id := range ids {
			words[i] = "one that was removed"
			for _, o := range known {
				if o.Value == valueWords(id) {
					words[i] = o.Label
				}
			}
		}
		return strings.Join(words, ", ")
	case "transfer", "transfer.destinations", "transfer.human_id":
		value = transferNames(value, known)
	case "model.max_turns", "model.max_tokens", "model.max_tool_calls":
		if value == 0.0 {
			return "the default"
		}
	case "model.max_seconds":
		if value == 0.0 {
			return "the maximum of the call"
		}
	}
	if strings.HasPrefix(field, "questions[") && strings.HasSuffix(field, "].branches") {
		return branchChange(value, known)
	}
	return valueWords(value)
}
