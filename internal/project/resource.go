package project

import (
	"maps"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/carrier/speech"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a project as the API shows it.
type Resource struct {
	ID           uuid.UUID   `json:"id"`
	Name         string      `json:"name"`
	TimeZone     string      `json:"time_zone"`
	Region       string      `json:"region"`
	CallingHours hours.Hours `json:"calling_hours"`
	// In days; null: forever.
	TranscriptDays *int      `json:"transcript_days"`
	RecordingDays  *int      `json:"recording_days"`
	CreatedAt      wire.Time `json:"created_at"`
}

// Resource converts a project.
func (p Project) Resource() Resource {
	return Resource{
		ID: p.ID, Name: p.Name, TimeZone: p.TimeZone, Region: p.Region,
		CallingHours: p.CallingHours, TranscriptDays: p.TranscriptDays, RecordingDays: p.RecordingDays,
		CreatedAt: wire.Time(p.CreatedAt),
	}
}

// PhoneNumberResource is a phone number as the API shows it.
type PhoneNumberResource struct {
	ID                  uuid.UUID  `json:"id"`
	PhoneNumber         string     `json:"phone_number"` // E.164
	Name                string     `json:"name"`
	Carrier             Kind       `json:"carrier"`
	ConnectionID        uuid.UUID  `json:"connection_id"`
	MaxConcurrency      *int       `json:"max_concurrency"`
	CallsPerSecond      *float64   `json:"calls_per_second"`
	MessagingExternalID *string    `json:"messaging_external_id"`
	NumberPoolID        *uuid.UUID `json:"number_pool_id"`
	CreatedAt           wire.Time  `json:"created_at"`
}

// Resource converts a phone number.
func (n PhoneNumber) Resource() PhoneNumberResource {
	return PhoneNumberResource{
		ID: n.ID, PhoneNumber: n.PhoneNumber.String(), Name: n.Name, Carrier: n.Carrier,
		ConnectionID: n.ConnectionID, MaxConcurrency: n.MaxConcurrency, CallsPerSecond: n.CallsPerSecond,
		MessagingExternalID: n.MessagingExternalID, NumberPoolID: n.NumberPoolID, CreatedAt: wire.Time(n.CreatedAt),
	}
}

// ConnectionResource is a connection to a carrier as the API shows it, without its secrets.
type ConnectionResource struct {
	ID             uuid.UUID `json:"id"`
	Name           string    `json:"name"`
	Carrier        Kind      `json:"carrier"`
	Account        string    `json:"account"`
	Region         Region    `json:"region"`
	APIKey         *string   `json:"api_key"` // the SID, which is no secret
	CallsPerSecond *float64  `json:"calls_per_second"`
	MaxConcurrency *int      `json:"max_concurrency"`
	DetectionRate  *string   `json:"detection_rate"`
	RelayRate      *string   `json:"relay_rate"`

	PreviousTokenUntil *wire.Time               `json:"previous_token_until"`
	Health             ConnectionHealthResource `json:"health"`
	CreatedAt          wire.Time                `json:"created_at"`
}

// ConnectionHealthResource says whether calls through a connection work, as the API shows it.
type ConnectionHealthResource struct {
	Failing     bool       `json:"failing"`
	Problem     *string    `json:"problem"` // for people
	LastError   *string    `json:"last_error"`
	LastErrorAt *wire.Time `json:"last_error_at"`
}

// Resource converts a connection.
func (c Connection) Resource() ConnectionResource {
	health := ConnectionHealthResource{
		Failing: c.Failing(), LastError: c.LastError, LastErrorAt: wire.Optional(c.LastErrorAt),
	}
	if c.Failed() {
		health.Problem = new(c.Summary())
	}
	return ConnectionResource{
		ID: c.ID, Name: c.Name, Carrier: c.Kind, Account: c.Account, Region: c.Region, APIKey: c.APIKey,
		CallsPerSecond: c.CallsPerSecond, MaxConcurrency: c.MaxConcurrency,
		DetectionRate: postgres.OrNull(c.DetectionRate), RelayRate: postgres.OrNull(c.RelayRate),
		PreviousTokenUntil: wire.Optional(c.PreviousTokenUntil), Health: health, CreatedAt: wire.Time(c.CreatedAt),
	}
}

// NumberPoolResource is a number pool as the API shows it.
type NumberPoolResource struct {
	ID             uuid.UUID   `json:"id"`
	Name           string      `json:"name"`
	Strategy       Strategy    `json:"strategy"`
	PhoneNumberIDs []uuid.UUID `json:"phone_number_ids"`
	MaxDailyCalls  *int        `json:"max_daily_calls"`
	Rest           *Rest       `json:"rest"`
	CreatedAt      wire.Time   `json:"created_at"`
}

// Resource converts a number pool.
func (p NumberPool) Resource() NumberPoolResource {
	return NumberPoolResource{
		ID: p.ID, Name: p.Name, Strategy: p.Strategy, PhoneNumberIDs: p.PhoneNumberIDs,
		MaxDailyCalls: p.MaxDailyCalls, Rest: p.Rest, CreatedAt: wire.Time(p.CreatedAt),
	}
}

// InboundResource is what happens to calls to a phone number, as the API shows it.
type InboundResource struct {
	PhoneNumberID uuid.UUID       `json:"phone_number_id"`
	Action        InboundAction   `json:"action"`
	AgentID       *uuid.UUID      `json:"agent_id"`
	ProjectID     *uuid.UUID      `json:"project_id"`
	Message       *InboundText    `json:"message"`
	ForwardTo     *string         `json:"forward_to"`
	Hours         *hours.Hours    `json:"hours"`
	Outside       *InboundOutside `json:"outside"`
	UpdatedAt     *wire.Time      `json:"updated_at"`
}

// Resource converts the settings for calls to a phone number.
func (i Inbound) Resource() InboundResource {
	return InboundResource{
		PhoneNumberID: i.PhoneNumberID, Action: i.Settings.Action, AgentID: i.AgentID, ProjectID: i.ProjectID,
		Message: i.Settings.Message, ForwardTo: postgres.OrNull(i.Settings.ForwardTo), Hours: i.Settings.Hours,
		Outside: i.Settings.Outside, UpdatedAt: wire.Optional(i.UpdatedAt),
	}
}

// DestinationResource is a destination as the API shows it.
type DestinationResource struct {
	ID                 uuid.UUID    `json:"id"`
	ProjectID          uuid.UUID    `json:"project_id"`
	Name               string       `json:"name"`
	PhoneNumber        *string      `json:"phone_number"` // E.164
	SIPAddress         *string      `json:"sip_address"`
	Hours              hours.Hours  `json:"hours"`
	FallbackID         *uuid.UUID   `json:"fallback_id"`
	Mode               TransferMode `json:"mode"`
	Record             bool         `json:"record"`
	RingTimeoutSeconds int          `json:"ring_timeout_seconds"`
	CreatedAt          wire.Time    `json:"created_at"`
}

// Resource converts a destination.
func (d Destination) Resource() DestinationResource {
	return DestinationResource{
		ID: d.ID, ProjectID: d.ProjectID, Name: d.Name, PhoneNumber: d.PhoneNumber, SIPAddress: d.SIPAddress,
		Hours: d.Hours, FallbackID: d.FallbackID, Mode: d.Mode, Record: d.Record,
		RingTimeoutSeconds: d.RingTimeoutSeconds, CreatedAt: wire.Time(d.CreatedAt),
	}
}

// InboundSetUpResource is what a phone number does at its carrier, as the API shows it.
type InboundSetUpResource struct {
	PhoneNumberID uuid.UUID           `json:"phone_number_id"`
	SetUp         bool                `json:"set_up"`
	Revision      string              `json:"revision"`
	Now           carrier.NumberSetUp `json:"now"`
	After         carrier.NumberSetUp `json:"after"`
}

// Resource converts a set-up. It leaves out passwords and parameters of addresses that are not ours.
func (s InboundSetUp) Resource() InboundSetUpResource {
	return InboundSetUpResource{
		PhoneNumberID: s.PhoneNumberID, SetUp: s.Done(), Revision: s.Revision(),
		Now: withoutSecrets(s.Now), After: s.After,
	}
}

// AgentResource is an agent as the API shows it, with its draft.
type AgentResource struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
	AgentContentResource
	RequirePassingTests bool      `json:"require_passing_tests"`
	PublishedVersion    *int      `json:"published_version"`
	HasDraftChanges     bool      `json:"has_draft_changes"`
	CreatedAt           wire.Time `json:"created_at"`

	Untranslated []conversation.Untranslated `json:"untranslated"` // what the draft says in its own language only
}

// AgentContentResource is what an agent says, and how, as the API shows it.
type AgentContentResource struct {
	Kind             AgentKind          `json:"kind"`
	Language         string             `json:"language"` // BCP 47
	Languages        []LanguageResource `json:"languages"`
	Speech           speech.Settings    `json:"speech"`
	Greeting         string             `json:"greeting"`
	InboundGreeting  string             `json:"inbound_greeting"`
	Disclosure       string             `json:"disclosure"`
	Questions        []QuestionResource `json:"questions"`
	NotUnderstood    string             `json:"not_understood"`
	Goodbye          string             `json:"goodbye"`
	VoicemailMessage string             `json:"voicemail_message"`
	SilenceSeconds   int                `json:"silence_seconds"`
	Nudges           int                `json:"nudges"`
	RecordCalls      bool               `json:"record_calls"`
	Model            *ModelResource     `json:"model"` // null for a scripted agent
	Analysis         AnalysisResource   `json:"analysis"`
	Transfer         *AgentTransfer     `json:"transfer"` // null: to nobody
}

// AgentTransfer is to whom an agent may transfer calls.
type AgentTransfer struct {
	Destinations []uuid.UUID `json:"destinations"`
	HumanID      *uuid.UUID  `json:"human_id"` // null: a person who asks for a human being is not transferred by rule
}

// BranchResource is what follows some answers to a question.
type BranchResource struct {
	Answer        *bool             `json:"answer"`
	Options       []string          `json:"options"`
	AtMost        *float64          `json:"at_most"`
	AtLeast       *float64          `json:"at_least"`
	GoTo          *string           `json:"go_to"`          // the key of a later question, or "end"
	DestinationID *uuid.UUID        `json:"destination_id"` // to whom the call is transferred instead
	Say           string            `json:"say"`
	Says          map[string]string `json:"says"` // translations, by language
}

func branchResources(branches []conversation.Branch) []BranchResource {
	all := make([]BranchResource, len(branches))
	for i, b := range branches {
		all[i] = BranchResource{
			Answer: b.Answer, Options: append([]string{}, b.Options...), AtMost: b.AtMost, AtLeast: b.AtLeast,
			GoTo: postgres.OrNull(b.GoTo), DestinationID: b.DestinationID, Say: b.Say, Says: map[string]string{},
		}
		maps.Copy(all[i].Says, b.Says)
	}
	return all
}

// AnalysisResource is how an agent's calls are analyzed.
type AnalysisResource struct {
	ConnectionID *uuid.UUID `json:"connection_id"` // null: by rule
	Success      string     `json:"success"`
}

// LanguageResource is a further language of an agent.
type LanguageResource struct {
	Language         string         `json:"language"` // BCP 47
	Speech           speech.Engines `json:"speech"`
	Greeting         string         `json:"greeting"`
	InboundGreeting  string         `json:"inbound_greeting"`
	Disclosure       string         `json:"disclosure"`
	NotUnderstood    string         `json:"not_understood"`
	Goodbye          string         `json:"goodbye"`
	VoicemailMessage string         `json:"voicemail_message"`
}

// ModelResource is how a language model holds an agent's conversations. A limit of 0 is the default.
type ModelResource struct {
	Instructions         string                  `json:"instructions"`
	ConnectionID         uuid.UUID               `json:"connection_id"`
	FallbackConnectionID *uuid.UUID              `json:"fallback_connection_id"`
	Temperature          *float64                `json:"temperature"`
	AvoidTopics          []string                `json:"avoid_topics"`
	Tools                []conversation.ToolName `json:"tools"`
	HTTPTools            []uuid.UUID             `json:"http_tools"`
	MessageTemplates     []uuid.UUID             `json:"message_templates"`
	MaxTurns             int                     `json:"max_turns"`
	MaxTokens            int                     `json:"max_tokens"`
	MaxToolCalls         int                     `json:"max_tool_calls"`
	MaxSeconds           int                     `json:"max_seconds"`
}

// QuestionResource is a question of an agent's script.
type QuestionResource struct {
	Key         string              `json:"key"`
	Ask         string              `json:"ask"`
	Asks        map[string]string   `json:"asks"` // translations, by language
	Description string              `json:"description"`
	Expect      conversation.Expect `json:"expect"`
	Required    bool                `json:"required"`
	Options     []string            `json:"options"` // of a choice; else empty
	Min         *float64            `json:"min"`     // of a number
	Max         *float64            `json:"max"`     // of a number

	FollowUp          *conversation.AnswerRule `json:"follow_up"`          // null: no answer needs a person
	TranslatedOptions map[string][]string      `json:"translated_options"` // of a choice, by language
	Branches          []BranchResource         `json:"branches"`
}

// Resource converts an agent.
func (a Agent) Resource() AgentResource {
	r := AgentResource{
		ID: a.ID, Name: a.Name, AgentContentResource: a.AgentContent.Resource(),
		RequirePassingTests: a.RequirePassingTests, HasDraftChanges: len(a.DraftChanges()) > 0,
		Untranslated: a.Script.Untranslated(), CreatedAt: wire.Time(a.CreatedAt),
	}
	if a.Published != nil {
		r.PublishedVersion = &a.Published.Number
	}
	return r
}

// Resource converts a content. Changes compares contents in this form.
func (c AgentContent) Resource() AgentContentResource {
	r := AgentContentResource{
		Kind: c.Kind, Language: c.Language, Speech: c.Speech,
		Greeting: c.Script.Greeting, InboundGreeting: c.Script.InboundGreeting, Disclosure: c.Script.Disclosure,
		Questions:     make([]QuestionResource, len(c.Script.Questions)),
		Languages:     make([]LanguageResource, len(c.Script.Languages)),
		NotUnderstood: c.Script.NotUnderstood, Goodbye: c.Script.Goodbye, VoicemailMessage: c.Script.VoicemailMessage,
		SilenceSeconds: int(c.Script.Silence().Seconds()), Nudges: c.Script.MaxNudges(), RecordCalls: c.RecordCalls,
		Analysis: AnalysisResource(c.Script.Analysis),
	}
	if t := c.Script.Transfer; t != nil {
		r.Transfer = &AgentTransfer{Destinations: append([]uuid.UUID{}, t.Destinations...), HumanID: t.HumanID}
	}
	if m := c.Script.Model; m != nil {
		r.Model = &ModelResource{
			Instructions: m.Instructions, ConnectionID: m.ConnectionID, FallbackConnectionID: m.FallbackID,
			Temperature: m.Temperature, AvoidTopics: append([]string{}, m.AvoidTopics...),
			Tools:            append([]conversation.ToolName{}, m.Tools...),
			HTTPTools:        append([]uuid.UUID{}, m.HTTPTools...),
			MessageTemplates: append([]uuid.UUID{}, m.Templates...),
			MaxTurns:         m.MaxTurns, MaxTokens: m.MaxTokens, MaxToolCalls: m.MaxToolCalls,
			MaxSeconds: m.MaxSeconds,
		}
	}
	for i, l := range c.Script.Languages {
		r.Languages[i] = LanguageResource{
			Language: l.Language, Speech: l.Speech, Greeting: l.Greeting, InboundGreeting: l.InboundGreeting,
			Disclosure:    l.Disclosure,
			NotUnderstood: l.NotUnderstood, Goodbye: l.Goodbye, VoicemailMessage: l.VoicemailMessage,
		}
	}
	for i, q := range c.Script.Questions {
		r.Questions[i] = QuestionResource{
			Key: q.Key, Ask: q.Ask, Asks: map[string]string{}, Description: q.Description, Expect: q.Expect,
			Required: q.IsRequired(),
			Options:  q.Options, Min: q.Min, Max: q.Max,
			TranslatedOptions: map[string][]string{},
			Branches:          branchResources(q.Branches),
		}
		maps.Copy(r.Questions[i].TranslatedOptions, q.TranslatedOptions)
		maps.Copy(r.Questions[i].Asks, q.Asks)
		if q.Options == nil {
			r.Questions[i].Options = []string{}
		}
		if rule := q.FollowUp; rule != nil {
			shown := *rule
			shown.Options = append([]string{}, rule.Options...)
			r.Questions[i].FollowUp = &shown
		}
	}
	return r
}

// AgentVersionResource is a version of an agent as lists of the API show it.
type AgentVersionResource struct {
	ID           uuid.UUID             `json:"id"`
	Number       int                   `json:"number"`
	Published    bool                  `json:"published"`
	Note         string                `json:"note"`
	SHA256       string                `json:"sha256"`
	Publications []PublicationResource `json:"publications"`
	CreatedBy    string                `json:"created_by"`
	CreatedAt    wire.Time             `json:"created_at"`
}

// PublicationResource says who published a version, and when.
type PublicationResource struct {
	PublishedBy string    `json:"published_by"`
	PublishedAt wire.Time `json:"published_at"`
	Note        string    `json:"note"`
}

// AgentVersionDetail is a version of an agent with its content, and how it differs from the version before.
type AgentVersionDetail struct {
	AgentVersionResource
	Content AgentContentResource `json:"content"`
	Changes []Change             `json:"changes"`
}

// Resource converts a version.
func (v AgentVersion) Resource() AgentVersionResource {
	r := AgentVersionResource{
		ID: v.ID, Number: v.Number, Published: v.IsPublished, Note: v.Note, SHA256: v.SHA256,
		Publications: make([]PublicationResource, len(v.Publications)),
		CreatedBy:    v.CreatedBy, CreatedAt: wire.Time(v.CreatedAt),
	}
	for i, p := range v.Publications {
		r.Publications[i] = PublicationResource{
			PublishedBy: p.PublishedBy, PublishedAt: wire.Time(p.PublishedAt), Note: p.Note,
		}
	}
	return r
}

// Detail converts a version and its changes.
func (v AgentVersion) Detail(changes []Change) AgentVersionDetail {
	return AgentVersionDetail{
		AgentVersionResource: v.Resource(), Content: v.AgentContent.Resource(), Changes: changes,
	}
}
