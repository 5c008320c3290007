package messaging

import (
	"encoding/json"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a message as the API and payloads show it.
type Resource struct {
	ID          uuid.UUID        `json:"id"`
	ExternalID  string           `json:"external_id"` // of the number that sends
	ToNumber    string           `json:"to_number"`   // E.164
	CampaignID  *uuid.UUID       `json:"campaign_id"`
	RecipientID *uuid.UUID       `json:"recipient_id"`
	Template    TemplateResource `json:"template"`
	Status      Status           `json:"status"`
	WaitReason  *WaitReason      `json:"wait_reason"` // why it is not sent now; null unless queued
	// when it may be sent, as far as is known; null unless queued
	DueAt          *wire.Time `json:"due_at"`
	OutcomeUnknown bool       `json:"outcome_unknown"` // the operator's answer was lost
	MessageID      *string    `json:"message_id"`      // the operator's
	ErrorCode      *int       `json:"error_code"`      // the operator's
	Error          *string    `json:"error"`
	CreatedAt      wire.Time  `json:"created_at"`
	SentAt         *wire.Time `json:"sent_at"`
	DeliveredAt    *wire.Time `json:"delivered_at"`
	ReadAt         *wire.Time `json:"read_at"`
	EndedAt        *wire.Time `json:"ended_at"` // failed or canceled
}

// TemplateResource is what a message says.
type TemplateResource struct {
	Name      string          `json:"name"`
	Language  string          `json:"language"`
	Variables json.RawMessage `json:"variables"`
}

// Resource converts a message.
func (m Message) Resource() Resource {
	return Resource{
		ID: m.ID, ExternalID: m.ExternalID, ToNumber: m.PhoneNumber.String(), CampaignID: m.CampaignID,
		RecipientID: m.RecipientID,
		Template:    TemplateResource{Name: m.TemplateName, Language: m.TemplateLanguage, Variables: m.Variables},
		Status:      m.Status, WaitReason: m.WaitReason, DueAt: wire.Optional(m.DueAt),
		OutcomeUnknown: m.UnknownSince != nil,
		MessageID:      m.OperatorID, ErrorCode: m.ErrorCode, Error: m.Error, CreatedAt: wire.Time(m.CreatedAt),
		SentAt: wire.Optional(m.SentAt), DeliveredAt: wire.Optional(m.DeliveredAt), ReadAt: wire.Optional(m.ReadAt),
		EndedAt: wire.Optional(m.EndedAt),
	}
}
