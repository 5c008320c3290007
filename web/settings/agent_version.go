package settings

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// ListAgentVersions shows the versions of an agent, with the changes of each.
func (s *Server) ListAgentVersions(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	list, err := s.Projects.AgentVersions(ctx, organization, a.ID, frame.PageOf(r))
	if err != nil {
		return err
	}
	facts, err := s.versionFacts(r, a)
	if err != nil {
		return err
	}
	tabs, err := s.agentTabs(r, a)
	if err != nil {
		return err
	}
	v := views.AgentVersions{
		Tabs: tabs,
		ID:   a.ID.String(), Name: a.Name, Changed: len(a.DraftChanges()) > 0, Active: a.DeactivatedAt == nil,
		Pager: frame.Pager(r, list.NextCursor, "Newest first"),
	}
	if facts.stats.Total.Calls > 0 {
		v.Total = figures(facts.stats.Total)
	}
	for i, version := range list.Data {
		row := facts.view(version)
		if row.Changes, err = s.changesOf(ctx, organization, list.Data, i, facts.known); err != nil {
			return err
		}
		v.Rows = append(v.Rows, row)
	}
	return frame.Render(w, r, http.StatusOK, views.AgentVersionsPage(s.Chrome(r), v))
}

// versionFacts is what is known of the versions of an agent beside their content.
type versionFacts struct {
	pinned map[int][]campaign.Ref
	known  []ui.Option // the connections, tools and templates by name
	stats  call.AgentStats
}

func (s *Server) versionFacts(r *http.Request, a project.Agent) (f versionFacts, err error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	if f.pinned, err = s.Campaigns.Pinned(ctx, organization, a.ID); err != nil {
		return f, err
	}
	if f.known, err = s.agentChoices(r, &views.AgentModelForm{}); err != nil {
		return f, err
	}
	f.stats, err = s.Calls.AgentStats(ctx, organization, a.ID)
	return f, err
}

// view describes a version without its changes.
func (f versionFacts) view(version project.AgentVersion) views.AgentVersion {
	row := views.AgentVersion{
		Number: version.Number, Published: version.IsPublished, Note: version.Note, By: version.CreatedBy,
		At: version.CreatedAt,
	}
	for _, p := range version.Publications {
		row.Publications = append(row.Publications,
			views.Publication{By: p.PublishedBy, At: p.PublishedAt, Note: p.Note})
	}
	for _, c := range f.pinned[version.Number] {
		row.Campaigns = append(row.Campaigns, ui.Option{Value: c.ID.String(), Label: c.Name})
	}
	for _, of := range f.stats.Versions {
		if of.Version != nil && *of.Version == version.Number {
			row.Figures = figures(of)
		}
	}
	return row
}

// AgentVersion shows one version of an agent.
func (s *Server) AgentVersion(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(r.PathValue("number"), 10, 32)
	if err != nil {
		return fault.NotFoundf("Version")
	}
	version, changes, err := s.Projects.AgentVersion(
		r.Context(), frame.SignedIn(r).Organization.ID, a.ID, int(number))
	if err != nil {
		return err
	}
	facts, err := s.versionFacts(r, a)
	if err != nil {
		return err
	}
	v := views.AgentVersionDetail{
		ID: a.ID.String(), Name: a.Name, Active: a.DeactivatedAt == nil, AgentVersion: facts.view(version),
		Reading: agentReading(version.AgentContent, facts.known),
	}
	v.Changes = changeViews(changes, version.Kind, facts.known)
	return frame.Render(w, r, http.StatusOK, views.AgentVersionPage(s.Chrome(r), v))
}

// figures are the figures of calls in words.
func figures(v call.VersionStats) []string {
	lines := []string{
		ui.Plural(v.Calls, "call"),
		ui.Count(v.Completed) + " completed, " + ui.Count(v.OptedOut) + " opted out",
	}
	if average := v.AverageSeconds(); average != nil {
		lines = append(lines, ui.TalkTime(*average)+" talk time per person")
	}
	if tokens := v.TokensPerCall(); tokens != nil {
		lines = append(lines, ui.Count(*tokens)+" tokens per call")
	}
	for _, c := range v.Costs {
		cost := money.Format(c.PerCall, c.Currency, money.Decimals(c.PerCall))
		lines = append(lines, "Tokens cost "+cost+" per call")
	}
	if v.Answer.Answers > 0 {
		seconds := func(ms int) string { return strconv.FormatFloat(float64(ms)/1000, 'f', 2, 64) + " s" }
		lines = append(lines, "Answers in "+seconds(v.Answer.P50)+" (median), "+seconds(v.Answer.P95)+" (95%)")
	}
	return lines
}

// changesOf returns how a version of a page differs from the one before, which the page has except for its last row.
func (s *Server) changesOf(
	ctx context.Context, organization uuid.UUID, list []project.AgentVersion, i int, connections []ui.Option,
) ([]views.AgentChange, error) {
	if i+1 < len(list) {
		changes := project.Changes(list[i+1].AgentContent, list[i].AgentContent)
		return changeViews(changes, list[i].Kind, connections), nil
	}
	_, changes, err := s.Projects.AgentVersion(ctx, organization, list[i].AgentID, list[i].Number)
	return changeViews(changes, list[i].Kind, connections), err
}

// PublishAgentAgain publishes an earlier version.
func (s *Server) PublishAgentAgain(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 32)
	if err != nil {
		return fault.NotFoundf("Version")
	}
	version := int(number)
	_, err = s.Projects.PublishAgent(r.Context(), s.Actor(r), a.ID, project.Publishing{Version: &version})
	return s.Done(w, r, err, fmt.Sprintf("Version %d published", version), agentsPath+"/"+a.ID.String()+"/versions")
}

func (s *Server) ConfirmDiscardDraft(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	return s.Confirm(w, r, views.DiscardAgentDraft(a.ID.String(), a.Name))
}

func (s *Server) DiscardDraft(w http.ResponseWriter, r *http.Request) error {
	a, err := s.agent(r)
	if err != nil {
		return err
	}
	_, err = s.Projects.DiscardAgentDraft(r.Context(), s.Actor(r), a.ID)
	return s.Done(w, r, err, "Draft discarded", agentsPath+"/"+a.ID.String())
}

// draftView says how the draft of an agent differs from its published version.
func draftView(a project.Agent, connections []ui.Option) views.AgentDraft {
	v := views.AgentDraft{Changes: changeViews(a.DraftChanges(), a.Kind, connections)}
	if a.Published != nil {
		v.Published = a.Published.Number
	}
	return v
}

// changeWords are the names of fields whose own words do not say what they are.
var changeWords = map[string]string{
	"inbound_greeting": "greeting when people call",
	"ask":              "text", "expect": "answer", "options": "choices",
	"min": "smallest number", "max": "largest number",
	"not_understood": "when an answer is not understood", "nudges": "nudges before hanging up",
	"asks": "translation", "translated_options": "translated choices", "languages": "other languages",
	"kind": "how the agent talks", "connection_id": "model connection",
	"fallback_connection_id": "fallback connection", "avoid_topics": "topics to avoid",
	"max_turns": "limit of the model's answers", "max_tokens": "limit of tokens",
	"max_tool_calls": "limit of tool calls", "http_tools": "your own tools", "message_templates": "messages",
	"success": "what makes a call successful", "transfer": "transfers", "destination_id": "destination",
	"human_id":        "when a recipient asks for a person",
	"max_seconds":     "limit of seconds",
	"silence_seconds": "silence before a nudge (seconds)", "end_of_turn_ms": "pause that ends an answer (ms)",
}

// changeViews describes changes of an agent that is of a kind now, for people. connections are the connections, tools,
// templates and destinations by name.
func changeViews(
	changes []project.Change, kind project.AgentKind, connections []ui.Option,
) (all []views.AgentChange) {
	for _, c := range changes {
		if c.Field == "model" {
			all = append(all, changeViews(modelChanges(c), kind, connections)...)
			continue
		}
		all = append(all, views.AgentChange{
			Field:  fieldWords(strings.TrimPrefix(c.Field, "model."), kind),
			Before: agentWords(c.Field, c.Before, connections), After: agentWords(c.Field, c.After, connections),
		})
	}
	return all
}

// oneOf are the words for one of several things where the plural has more than an s.
var oneOf = map[string]string{"branches": "branch", "choices": "choice"}

// fieldWords names a field of an agent: "Question coming, text" for questions[coming].ask of a scripted one.
func fieldWords(path string, kind project.AgentKind) string {
	if kind == project.ModelHeld {
		path = strings.Replace(path, "questions", "fields", 1)
		if field, ok := strings.CutSuffix(path, "].ask"); ok {
			path = field + "].question"
		}
	}
	var words []string
	for part := range strings.SplitSeq(path, ".") {
		name, key, keyed := strings.Cut(strings.TrimSuffix(part, "]"), "[")
		if name = cmp.Or(changeWords[name], strings.ReplaceAll(name, "_", " ")); keyed {
			name = cmp.Or(oneOf[name], strings.TrimSuffix(name, "s")) + " " + key
		}
		words = append(words, name)
	}
	return ui.Capital(strings.Join(words, ", "))
}

// valueWords writes a value of JSON for people.
func valueWords(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []string:
		return strings.Join(v, ", ")
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = valueWords(v[i])
		}
		return strings.Join(words, ", ")
	case map[string]any:
		for _, shown := range []string{"ask", "word"} {
			if text, ok := v[shown].(string); ok {
				if spoken, ok := v["spoken"].(string); ok {
					text += " = " + spoken
				}
				return text
			}
		}
		var words []string
		for name, value := range v {
			if text := valueWords(value); text != "" {
				words = append(words, cmp.Or(changeWords[name], strings.ReplaceAll(name, "_", " "))+": "+text)
			}
		}
		slices.Sort(words)
		return strings.Join(words, ", ")
	}
	return fmt.Sprint(v)
}
