package project

import (
	"context"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
)

// AgentInput is a new agent, or a change of one, as requested through the API. A nil field is absent: it has its
// default in a new agent and stays in a change. Speech and Questions are replaced as a whole.
type AgentInput struct {
	Name             *string          `json:"name"`
	Language         *string          `json:"language"`
	Speech           *speech.Settings `json:"speech"`
	Greeting         *string          `json:"greeting"`
	InboundGreeting  *string          `json:"inbound_greeting"`
	Disclosure       *string          `json:"disclosure"`
	Questions        *[]QuestionInput `json:"questions"`
	NotUnderstood    *string          `json:"not_understood"`
	Goodbye          *string          `json:"goodbye"`
	VoicemailMessage *string          `json:"voicemail_message"`
	SilenceSeconds   *int             `json:"silence_seconds"`
	Nudges           *int             `json:"nudges"`
	RecordCalls      *bool            `json:"record_calls"`

	RequirePassingTests *bool `json:"require_passing_tests"`

	// Kind is Scripted to take an agent's model away, and ModelHeld to give it back. Absent: ModelHeld with a model,
	// else as before.
	Kind *AgentKind `json:"kind"`
	// Model makes a language model hold the conversation. It is replaced as a whole.
	Model *ModelInput `json:"model" nullable:"true"`
	// Languages are further languages of an agent with a model. They are replaced as a whole.
	Languages *[]LanguageInput `json:"languages"`

	Analysis *AnalysisInput `json:"analysis"` // replaced as a whole

	Transfer *TransferInput `json:"transfer" nullable:"true"` // replaced as a whole
}

// TransferInput is to whom the agent of an AgentInput may transfer calls.
type TransferInput struct {
	Destinations []string `json:"destinations" max:"20"` // empty: to nobody
	HumanID      string   `json:"human_id" nullable:"true"`
}

// settings returns the settings of transfers. A malformed ID is that of no destination.
func (in TransferInput) settings() *conversation.TransferSettings {
	if len(in.Destinations) == 0 && in.HumanID == "" {
		return nil
	}
	t := &conversation.TransferSettings{}
	for _, text := range in.Destinations {
		t.Destinations = append(t.Destinations, connectionID(text))
	}
	if in.HumanID != "" {
		t.HumanID = new(connectionID(in.HumanID))
	}
	return t
}

// BranchInput is what follows some answers to a question of an AgentInput. Without a condition, it is for every answer.
type BranchInput struct {
	Answer        *bool             `json:"answer" nullable:"true"`
	Options       []string          `json:"options" nullable:"true"`
	AtMost        *float64          `json:"at_most" nullable:"true"`
	AtLeast       *float64          `json:"at_least" nullable:"true"`
	GoTo          string            `json:"go_to" nullable:"true"`          // the key of a later question, or "end"
	DestinationID string            `json:"destination_id" nullable:"true"` // to whom the call is transferred instead
	Say           string            `json:"say"`
	Says          map[string]string `json:"says"` // translations of Say, by the agent's further languages
}

// Branch returns the branch. A malformed ID is that of no destination.
func (in BranchInput) Branch() conversation.Branch {
	b := conversation.Branch{
		AnswerRule: conversation.AnswerRule{
			Answer: in.Answer, Options: in.Options, AtMost: in.AtMost, AtLeast: in.AtLeast,
		},
		GoTo: in.GoTo, Say: in.Say, Says: in.Says,
	}
	if in.DestinationID != "" {
		b.DestinationID = new(connectionID(in.DestinationID))
	}
	return b
}

// LanguageInput is a further language of an AgentInput. An absent text is a standard line of the language.
type LanguageInput struct {
	Language         string         `json:"language"`
	Speech           speech.Engines `json:"speech"`
	Greeting         string         `json:"greeting"`
	InboundGreeting  string         `json:"inbound_greeting"`
	Disclosure       string         `json:"disclosure"`
	NotUnderstood    string         `json:"not_understood"`
	Goodbye          string         `json:"goodbye"`
	VoicemailMessage string         `json:"voicemail_message"`
}

// AnalysisInput is the analysis of an AgentInput.
type AnalysisInput struct {
	ConnectionID string `json:"connection_id" nullable:"true"` // empty: by rule
	Success      string `json:"success"`
}

// ModelInput is the model of an AgentInput. An absent limit is the default.
type ModelInput struct {
	Instructions         string                  `json:"instructions"`
	ConnectionID         string                  `json:"connection_id"`
	FallbackConnectionID string                  `json:"fallback_connection_id" nullable:"true"`
	Temperature          *float64                `json:"temperature" nullable:"true"`
	AvoidTopics          []string                `json:"avoid_topics"`
	Tools                []conversation.ToolName `json:"tools"`
	HTTPTools            []string                `json:"http_tools"`
	MessageTemplates     []string                `json:"message_templates"`
	MaxTurns             int                     `json:"max_turns"`
	MaxTokens            int                     `json:"max_tokens"`
	MaxToolCalls         int                     `json:"max_tool_calls"`
	MaxSeconds           int                     `json:"max_seconds"`
}

// QuestionInput is a question of an AgentInput.
type QuestionInput struct {
	Key         string              `json:"key"`
	Ask         string              `json:"ask"`
	Description string              `json:"description"`
	Expect      conversation.Expect `json:"expect"`
	Required    *bool               `json:"required"` // absent: true
	Options     []string            `json:"options"`
	Min         *float64            `json:"min" nullable:"true"`
	Max         *float64            `json:"max" nullable:"true"`

	FollowUp *conversation.AnswerRule `json:"follow_up" nullable:"true"` // absent: no answer needs a person
	Branches []BranchInput            `json:"branches"`

	// Asks are translations of Ask, by the agent's further languages.
	Asks map[string]string `json:"asks"`
	// TranslatedOptions are translations of Options in their order, by the agent's further languages.
	TranslatedOptions map[string][]string `json:"translated_options"`
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// connectionID reads an ID. A malformed one is that of no connection, which is refused later.
func connectionID(text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil && text != "" {
		return uuid.Max
	}
	return id
}

// settings returns the settings of an analysis.
func (in AnalysisInput) settings() conversation.AnalysisSettings {
	s := conversation.AnalysisSettings{Success: in.Success}
	if in.ConnectionID != "" {
		s.ConnectionID = new(connectionID(in.ConnectionID))
	}
	return s
}

// model returns the settings of a model.
func (in ModelInput) model() *conversation.Model {
	m := &conversation.Model{
		Instructions: in.Instructions,
		ConnectionID: connectionID(in.ConnectionID),
		Temperature:  in.Temperature,
		AvoidTopics:  in.AvoidTopics,
		Tools:        in.Tools,
		MaxTurns:     in.MaxTurns,
		MaxTokens:    in.MaxTokens,
		MaxToolCalls: in.MaxToolCalls,
		MaxSeconds:   in.MaxSeconds,
	}
	for _, text := range in.HTTPTools {
		m.HTTPTools = append(m.HTTPTools, connectionID(text))
	}
	for _, text := range in.MessageTemplates {
		m.Templates = append(m.Templates, connectionID(text))
	}
	if in.FallbackConnectionID != "" {
		m.FallbackID = new(connectionID(in.FallbackConnectionID))
	}
	return m
}

// checkKind refuses a kind that contradicts the rest.
func (in AgentInput) checkKind(before Agent) error {
	switch {
	case in.Kind == nil:
	case *in.Kind != Scripted && *in.Kind != ModelHeld:
		return fault.Invalidf("kind", "must be scripted or model")
	case *in.Kind == Scripted && in.Model != nil:
		return fault.Invalidf("model", "is only for the kind model")
	case *in.Kind == ModelHeld && in.Model == nil && before.Script.Model == nil && before.Kept == nil:
		return fault.Invalidf("model", "required for the kind model")
	}
	return nil
}

// into returns settings with the fields of the input.
func (in AgentInput) into(s AgentSettings) AgentSettings {
	switch {
	case in.Kind != nil && *in.Kind == Scripted:
		s.Script = scripted(s.Script)
	case in.Model != nil || in.Kind != nil:
		if s.Script.Model == nil {
			s.Script = s.Kept.Into(s.Script)
		}
		if in.Model != nil {
			s.Script.Model = in.Model.model()
		}
	}
	if in.Analysis != nil {
		s.Script.Analysis = in.Analysis.settings()
	}
	if in.Transfer != nil {
		s.Script.Transfer = in.Transfer.settings()
	}
	set(&s.Name, in.Name)
	set(&s.Speech, in.Speech)
	set(&s.RecordCalls, in.RecordCalls)
	s.RequirePassingTests = in.RequirePassingTests
	set(&s.Script.Language, in.Language)
	set(&s.Script.Greeting, in.Greeting)
	set(&s.Script.InboundGreeting, in.InboundGreeting)
	set(&s.Script.Disclosure, in.Disclosure)
	set(&s.Script.NotUnderstood, in.NotUnderstood)
	set(&s.Script.Goodbye, in.Goodbye)
	set(&s.Script.VoicemailMessage, in.VoicemailMessage)
	set(&s.Script.SilenceSeconds, in.SilenceSeconds)
	if in.Nudges != nil {
		s.Script.Nudges = in.Nudges
	}
	if in.Languages != nil {
		s.Script.Languages = nil
		for _, l := range *in.Languages {
			s.Script.Languages = append(s.Script.Languages, conversation.Translation{
				Language: l.Language, Speech: l.Speech, Wording: conversation.Wording{
					Greeting: l.Greeting, InboundGreeting: l.InboundGreeting,
					Disclosure: l.Disclosure, NotUnderstood: l.NotUnderstood, Goodbye: l.Goodbye,
					VoicemailMessage: l.VoicemailMessage,
				},
			})
		}
	}
	if in.Questions != nil {
		s.Script.Questions = make([]conversation.Question, len(*in.Questions))
		for i, q := range *in.Questions {
			s.Script.Questions[i] = conversation.Question{
				Key: q.Key, Ask: q.Ask, Description: q.Description, Expect: q.Expect, Options: q.Options,
				Min: q.Min, Max: q.Max, Asks: q.Asks, TranslatedOptions: q.TranslatedOptions,
				FollowUp: q.FollowUp,
			}
			for _, b := range q.Branches {
				s.Script.Questions[i].Branches = append(s.Script.Questions[i].Branches, b.Branch())
			}
			if q.Required != nil && !*q.Required {
				s.Script.Questions[i].Required = q.Required
			}
		}
	}
	return s
}

// defaults are the settings of a new agent whose input is empty.
func defaults() AgentSettings {
	return AgentSettings{Speech: speech.Default(), Script: conversation.Script{Questions: []conversation.Question{}}}
}

// CheckNew reports what is wrong with the input of a new agent, as far as it can be known without the database. Error:
// Invalid.
func (in AgentInput) CheckNew() error {
	var p fault.Problems
	p.Also(in.checkKind(Agent{}))
	settings := in.into(defaults())
	p.Also(settings.Validate())
	return p.Err()
}

// NewAgentFrom is [Service.CreateAgent] for the API.
func (s *Service) NewAgentFrom(ctx context.Context, actor account.Actor, in AgentInput) (Agent, error) {
	if err := in.checkKind(Agent{}); err != nil {
		return Agent{}, err
	}
	return s.CreateAgent(ctx, actor, in.into(defaults()))
}

// ChangeAgent changes some fields of an active agent's name and draft. Unchanged may refuse the change of the agent as
// it is then. Errors: Invalid, NotFound, and that of unchanged.
func (s *Service) ChangeAgent(
	ctx context.Context, actor account.Actor, id uuid.UUID, in AgentInput, unchanged func(Agent) error,
) (Agent, error) {
	return s.updateAgent(ctx, actor, id, func(a Agent) (AgentSettings, error) {
		if err := unchanged(a); err != nil {
			return AgentSettings{}, err
		}
		before := AgentSettings{
			Name: a.Name, Speech: a.Speech, Script: a.Script, RecordCalls: a.RecordCalls, Kept: a.Kept,
		}
		return in.into(before), in.checkKind(a)
	})
}
