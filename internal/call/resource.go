package call

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/postgres"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a call as the API and the webhooks print it.
type Resource struct {
	ID              uuid.UUID              `json:"id"`
	ProjectID       uuid.UUID              `json:"project_id"`
	CampaignID      *uuid.UUID             `json:"campaign_id"`
	RecipientID     *uuid.UUID             `json:"recipient_id"`
	Recipient       *RecipientResource     `json:"recipient"`
	Direction       Direction              `json:"direction"`
	Attempt         int                    `json:"attempt"`
	LastCallID      *uuid.UUID             `json:"last_call_id"`
	FirstCallID     *uuid.UUID             `json:"first_call_id"`
	NextCallID      *uuid.UUID             `json:"next_call_id"`
	AgentID         *uuid.UUID             `json:"agent_id"`
	AgentVersion    *int                   `json:"agent_version"`
	AgentName       *string                `json:"agent_name"`
	PhoneNumberID   uuid.UUID              `json:"phone_number_id"`
	FromNumber      *string                `json:"from_number"`
	ToNumber        *string                `json:"to_number"`
	MissingNumber   *Missing               `json:"missing_number"`
	Status          Status                 `json:"status"`
	Waiting         *Waiting               `json:"waiting"`
	DueAt           *wire.Time             `json:"due_at"`
	ExpiresAt       *wire.Time             `json:"expires_at"`
	Outcome         *Outcome               `json:"outcome"`
	EndedReason     *Reason                `json:"ended_reason"`
	EndedBy         *Party                 `json:"ended_by"`
	EndedByName     *string                `json:"ended_by_name"`
	EndedDetail     *string                `json:"ended_detail"`
	CarrierCode     *string                `json:"carrier_code"`
	CallReason      *string                `json:"call_reason"`
	StirAttestation *carrier.Attestation   `json:"stir_attestation"`
	AnsweredBy      *AnsweredBy            `json:"answered_by"`
	Intent          *conversation.Intent   `json:"intent"`
	CallBackAt      *wire.Time             `json:"call_back_at"`
	QueuedAt        wire.Time              `json:"queued_at"`
	StartedAt       *wire.Time             `json:"started_at"`
	AnsweredAt      *wire.Time             `json:"answered_at"`
	EndedAt         *wire.Time             `json:"ended_at"`
	UpdatedAt       wire.Time              `json:"updated_at"`
	RingSeconds     int                    `json:"ring_seconds"`
	DurationSeconds int                    `json:"duration_seconds"`
	RecordingURL    *string                `json:"recording_url"`
	Language        *string                `json:"language"`
	Analysis        *Analysis              `json:"analysis"`
	Model           *conversation.ModelUse `json:"model"`
	Transfer        *Transfer              `json:"transfer"`
	ForwardedTo     *string                `json:"forwarded_to"`
	Resumes         *Resumed               `json:"resumes"`
	Cost            *Cost                  `json:"cost"`
	PreDialCheck    *predial.Answer        `json:"pre_dial_check"`
	HoursDecision   *HoursDecision         `json:"calling_hours_decision"`
	Consent         *Consent               `json:"consent"`
	Variables       json.RawMessage        `json:"variables"`
	Metadata        json.RawMessage        `json:"metadata"`
	Carrier         string                 `json:"carrier"`
	CarrierCallID   *string                `json:"carrier_call_id"`
	TranscriptText  string                 `json:"transcript_text"`
}

// RecipientResource is who was called.
type RecipientResource struct {
	ID         *uuid.UUID `json:"id"` // nil: the call is none of a campaign
	ExternalID *string    `json:"external_id"`
	Name       *string    `json:"name"`
}

// Consent is the basis on which a person may be called, and since when.
type Consent struct {
	Basis     string     `json:"basis"`
	At        *wire.Time `json:"at"`
	Source    *string    `json:"source"`
	ExpiresAt *wire.Time `json:"expires_at"`
}

// DetailResource is a single call as the API prints it: with its turns.
type DetailResource struct {
	Resource
	Transcript []TurnResource `json:"transcript"`
}

// ListedResource is a call as the API prints it in lists: with its snippet.
type ListedResource struct {
	Resource
	Snippet []Segment `json:"snippet"` // null without a search
}

// TurnResource is one utterance as the API prints it. Its times are milliseconds since the
// answer, or null if the carrier did not report them.
type TurnResource struct {
	Index       int     `json:"index"`
	Role        Role    `json:"role"`
	Text        string  `json:"text"`
	StartMS     *int    `json:"start_ms"`
	EndMS       *int    `json:"end_ms"`
	Interrupted bool    `json:"interrupted"`
	Timing      *Timing `json:"timing"`
}

// Resource returns the call as the API prints it.
func (s *Service) Resource(c Call) Resource {
	r := Resource{
		ID:              c.ID,
		ProjectID:       c.ProjectID,
		CampaignID:      c.CampaignID,
		Direction:       c.Direction,
		Attempt:         c.Attempt,
		LastCallID:      c.LastCallID,
		FirstCallID:     c.FirstCallID,
		NextCallID:      c.NextCallID,
		AgentID:         c.AgentID,
		AgentVersion:    c.AgentVersion,
		AgentName:       c.AgentName,
		ForwardedTo:     c.ForwardedTo,
		Resumes:         c.Resumes,
		PhoneNumberID:   c.PhoneNumberID,
		FromNumber:      postgres.OrNull(c.From()),
		ToNumber:        postgres.OrNull(c.To()),
		MissingNumber:   postgres.OrNull(c.MissingNumber()),
		Status:          c.Status,
		Waiting:         c.Waiting,
		DueAt:           wire.Optional(c.DueAt),
		ExpiresAt:       wire.Optional(c.ExpiresAt),
		CallReason:      c.CallReason,
		StirAttestation: c.StirAttestation,
		AnsweredBy:      postgres.OrNull(c.AnsweredBy),
		QueuedAt:        wire.Time(c.CreatedAt),
		StartedAt:       wire.Optional(c.StartedAt),
		AnsweredAt:      wire.Optional(c.AnsweredAt),
		EndedAt:         wire.Optional(c.EndedAt),
		UpdatedAt:       wire.Time(c.ChangedAt),
		RingSeconds:     int(c.RingTime() / time.Second),
		DurationSeconds: int(c.TalkTime() / time.Second),
		RecordingURL:    s.recordingURL(c),
		Analysis:        c.Analysis,
		Transfer:        c.Transfer,
		PreDialCheck:    c.PreDialCheck,
		HoursDecision:   c.HoursDecision,
		Variables:       c.Variables,
		Metadata:        c.Metadata,
		Carrier:         c.Carrier,
		CarrierCallID:   c.CarrierCallID,
		TranscriptText:  c.TranscriptText,
	}
	if c.CampaignID != nil { // the recipients of calls of their own are in no list
		r.RecipientID = c.RecipientID
	}
	who := RecipientResource{ID: r.RecipientID, ExternalID: c.ExternalID, Name: postgres.OrNull(c.RecipientName)}
	if who != (RecipientResource{}) {
		r.Recipient = &who
	}
	if c.Analysis != nil {
		r.Intent, r.CallBackAt = c.Analysis.Intent, c.Analysis.CallBackAt
		analysis := *c.Analysis
		r.Analysis, r.Model, analysis.Model = &analysis, c.Analysis.Model.Shown(), nil
		analysis.Leeway, analysis.ByPerson, analysis.Needs, analysis.Asked = "", false, nil, nil
		r.Language, analysis.Language = postgres.OrNull(c.Analysis.Language), ""
		analysis.complete()
		if analysis.Variables == nil { // of a call before there were tools
			analysis.Variables = map[string]string{}
		}
	}
	if c.CostAmount != nil && c.CostCurrency != nil {
		r.Cost = &Cost{Amount: *c.CostAmount, Currency: *c.CostCurrency, Parts: c.CostParts}
	}
	if c.ConsentBasis != nil {
		r.Consent = &Consent{
			Basis: *c.ConsentBasis, At: wire.Optional(c.ConsentAt), Source: c.ConsentSource,
			ExpiresAt: wire.Optional(c.ConsentExpiresAt),
		}
	}
	if c.Status.Terminal() { // until then, the reason is only planned
		r.Outcome = postgres.OrNull(c.Outcome)
		r.EndedReason, r.EndedBy = postgres.OrNull(c.EndedReason), postgres.OrNull(c.EndedBy)
		r.EndedByName = c.EndedByName()
		r.EndedDetail, r.CarrierCode = postgres.OrNull(c.Detail), c.CarrierCode
	}
	return r
}

// Listed returns the call as lists print it.
func (s *Service) Listed(c Call) ListedResource {
	return ListedResource{Resource: s.Resource(c), Snippet: c.Snippet}
}

// Detail returns the call with its turns.
func (s *Service) Detail(c Call, turns []Turn) DetailResource {
	d := DetailResource{Resource: s.Resource(c), Transcript: make([]TurnResource, len(turns))}
	for i, t := range turns {
		d.Transcript[i] = TurnResource{
			Index: t.Index, Role: t.Role, Text: t.Text, StartMS: t.StartMS, EndMS: t.EndMS, Interrupted: t.Interrupted,
			Timing: t.Timing,
		}
	}
	return d
}
