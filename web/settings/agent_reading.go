package settings

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// mayChange reports whether the reader may change agents.
func mayChange(r *http.Request) bool { return frame.May(r, account.ManageAgents) }

// readAgentPage shows what an agent says and does to who may not change it.
func (s *Server) readAgentPage(w http.ResponseWriter, r *http.Request, a project.Agent) error {
	known, err := s.agentChoices(r, &views.AgentModelForm{})
	if err != nil {
		return err
	}
	v := views.AgentPage{
		ID: a.ID.String(), Name: a.Name, Active: a.DeactivatedAt == nil, Reading: agentReading(a.Followed(), known),
	}
	if v.Tabs, err = s.agentTabs(r, a); err != nil {
		return err
	}
	if a.Published != nil {
		v.Version, v.Changed = a.Published.Number, len(a.DraftChanges()) > 0
	}
	return frame.Render(w, r, http.StatusOK, views.AgentReadingPage(s.Chrome(r), v))
}

const standardLine = "The standard line"

// agentReading describes the content of an agent. Known are the connections, tools and templates by name.
func agentReading(c project.AgentContent, known []ui.Option) views.AgentReading {
	script := c.Script
	asked, required := "Questions", "Every required question has an answer"
	if script.Model != nil {
		asked, required = "Fields to collect", "Every required field has a value"
	}
	wording := func(w conversation.Wording) []ui.Fact {
		return []ui.Fact{
			{Name: "Greeting", Value: views.Prose(cmp.Or(w.Greeting, standardLine))},
			{Name: "Greeting when people call", Value: views.Prose(cmp.Or(w.InboundGreeting, standardLine))},
			{Name: "Disclosure", Value: views.Prose(cmp.Or(w.Disclosure, standardLine))},
			{Name: "Not understood", Value: views.Prose(cmp.Or(w.NotUnderstood, standardLine))},
			{Name: "Goodbye", Value: views.Prose(cmp.Or(w.Goodbye, standardLine))},
			{Name: "Voicemail message", Value: views.Prose(cmp.Or(w.VoicemailMessage, standardLine))},
		}
	}
	reading := views.AgentReading{
		{ID: "talks", Title: "Agent", Facts: []ui.Fact{
			{Name: "How it talks", Text: views.AgentKindLabel(string(c.Kind))},
			{Name: "Language", Text: ui.LanguageName(c.Language)},
			{Name: "Voice", Text: voiceWords(c.Speech.Engines(), "The carrier's default")},
			{Name: "Records calls", Text: valueWords(c.RecordCalls)},
		}},
		{ID: "model", Title: "Language model", Facts: modelReading(script.Model, known)},
		{ID: "says", Title: "What it says", Facts: wording(conversation.Wording{
			Greeting: script.Greeting, InboundGreeting: script.InboundGreeting, Disclosure: script.Disclosure,
			NotUnderstood: script.NotUnderstood, Goodbye: script.Goodbye, VoicemailMessage: script.VoicemailMessage,
		})},
		{ID: "questions", Title: asked, Facts: questionReading(script, known)},
	}
	if t := script.Transfer; t != nil {
		reading = append(reading, views.ReadingSection{ID: "transfers", Title: "Transfers", Facts: []ui.Fact{
			{Name: "Destinations", Text: namesOf(t.Destinations, known)},
			{Name: "Asks for a person", Text: cmp.Or(nameOf(t.HumanID, known), "The agent notes it and ends the call")},
		}})
	}
	for i, l := range script.Languages {
		facts := append([]ui.Fact{{Name: "Voice", Text: voiceWords(l.Speech, "The carrier's default")}},
			wording(l.Wording)...)
		for _, q := range script.Questions {
			if ask := q.Asks[l.Language]; ask != "" {
				facts = append(facts, ui.Fact{
					Name:  ui.Sentence(q.Key),
					Value: views.ReadQuestion(ask, choiceLines(q.TranslatedOptions[l.Language])),
				})
			}
		}
		reading = append(reading, views.ReadingSection{
			ID: "language-" + strconv.Itoa(i+1), Title: "In " + ui.LanguageName(l.Language), Facts: facts,
		})
	}
	return append(reading,
		views.ReadingSection{ID: "hears", Title: "How it hears", Facts: listeningReading(c)},
		views.ReadingSection{ID: "after", Title: "After the call", Facts: []ui.Fact{
			{Name: "Analysis", Text: cmp.Or(nameOf(script.Analysis.ConnectionID, known), "By rule, from the answers")},
			{Name: "Successful if", Value: views.Prose(cmp.Or(script.Analysis.Success, required))},
		}},
	)
}

// nameOf names a connection, tool or template. It is empty for nil.
func nameOf(id *uuid.UUID, known []ui.Option) string {
	if id == nil {
		return ""
	}
	i := slices.IndexFunc(known, func(o ui.Option) bool { return o.Value == id.String() })
	if i < 0 {
		return "One that was removed"
	}
	return known[i].Label
}

func namesOf(ids []uuid.UUID, known []ui.Option) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = nameOf(&id, known)
	}
	return strings.Join(names, ", ")
}

// modelReading describes how a model holds the calls. Nil is a scripted agent.
func modelReading(m *conversation.Model, known []ui.Option) []ui.Fact {
	if m == nil {
		return nil
	}
	tools := make([]string, len(m.Tools))
	for i, tool := range m.Tools {
		tools[i] = views.AgentToolLabel(string(tool))
	}
	facts := []ui.Fact{
		{Name: "Instructions", Value: views.Prose(m.Instructions)},
		{Name: "Model connection", Text: nameOf(&m.ConnectionID, known)},
		{Name: "Fallback", Text: cmp.Or(nameOf(m.FallbackID, known), "None")},
		{Name: "Tools", Text: cmp.Or(strings.Join(tools, ", "), "Only those that every agent has")},
		{Name: "Your own tools", Text: namesOf(m.HTTPTools, known)},
		{Name: "Messages", Text: namesOf(m.Templates, known)},
		{Name: "Topics to avoid", Text: strings.Join(m.AvoidTopics, ", ")},
		{Name: "Answers at most", Text: ui.Count(cmp.Or(m.MaxTurns, conversation.DefaultModelTurns))},
		{Name: "Tokens at most", Text: ui.Count(cmp.Or(m.MaxTokens, conversation.DefaultModelTokens))},
		{Name: "Tool calls at most", Text: ui.Count(cmp.Or(m.MaxToolCalls, conversation.DefaultToolCalls))},
	}
	if m.MaxSeconds > 0 {
		facts = append(facts, ui.Fact{Name: "Seconds at most", Text: ui.Count(m.MaxSeconds)})
	}
	return append(facts, ui.Fact{Name: "Temperature", Text: frame.WrittenFloat(m.Temperature)})
}

func questionReading(script conversation.Script, known []ui.Option) (facts []ui.Fact) {
	for i, q := range script.Questions {
		kind := views.ExpectLabel(string(q.Expect))
		if q.Min != nil {
			kind += ", from " + frame.WrittenFloat(q.Min)
		}
		if q.Max != nil {
			kind += ", up to " + frame.WrittenFloat(q.Max)
		}
		if !q.IsRequired() {
			kind += ", optional"
		}
		lines := append([]string{kind}, choiceLines(q.Options)...)
		if q.Description != "" {
			lines = append(lines, q.Description)
		}
		if rule := ruleWords(q.FollowUp); rule != "" {
			lines = append(lines, "Creates a follow-up "+rule)
		}
		lines = append(lines, branchReading(script, i, known)...)
		facts = append(facts, ui.Fact{
			Name: strconv.Itoa(i+1) + ". " + ui.Sentence(q.Key), Value: views.ReadQuestion(q.Ask, lines),
		})
	}
	return facts
}

func choiceLines(options []string) []string {
	if len(options) == 0 {
		return nil
	}
	return []string{"Choices: " + strings.Join(options, ", ")}
}

// ruleWords says which answers a rule is for: "if the answer is no". It is empty for none.
func ruleWords(rule *conversation.AnswerRule) string {
	switch {
	case rule == nil:
		return ""
	case rule.Answer != nil:
		return "if the answer is " + strings.ToLower(valueWords(*rule.Answer))
	case len(rule.Options) > 0:
		return "for " + strings.Join(rule.Options, ", ")
	}
	var bounds []string
	if rule.AtMost != nil {
		bounds = append(bounds, "up to "+frame.WrittenFloat(rule.AtMost))
	}
	if rule.AtLeast != nil {
		bounds = append(bounds, "from "+frame.WrittenFloat(rule.AtLeast))
	}
	return strings.Join(bounds, " and ")
}

// voiceWords names the voice of an agent.
func voiceWords(e speech.Engines, otherwise string) string {
	if e.Provider == "" {
		return otherwise
	}
	if v, listed := speech.Find(e.Provider, e.Voice); listed {
		return v.Label()
	}
	return e.Voice + ", " + e.Provider.Name()
}

// listeningReading describes how an agent hears and waits.
func listeningReading(c project.AgentContent) []ui.Fact {
	said := make([]string, len(c.Speech.Pronunciations))
	for i, one := range c.Speech.Pronunciations {
		said[i] = one.Word + " = " + one.Spoken
	}
	heard := "The carrier's default"
	if p := c.Speech.TranscriptionProvider; p != "" {
		heard = strings.TrimSuffix(p.Name()+", "+c.Speech.TranscriptionModel, ", ")
	}
	return []ui.Fact{
		{Name: "Silence", Text: "A nudge after " + ui.Count(int(c.Script.Silence().Seconds())) + " s, " +
			ui.Plural(c.Script.MaxNudges(), "nudge") + " before hanging up"},
		{Name: "Interrupted by", Text: views.InterruptibleLabel(string(c.Speech.Interruptible))},
		{Name: "Transcription", Text: heard},
		{Name: "Words to expect", Text: strings.Join(c.Speech.Hints, ", ")},
		{Name: "Pronunciations", Text: strings.Join(said, ", ")},
	}
}
