package followup

import (
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is a follow-up as the API and payloads show it.
type Resource struct {
	ID          uuid.UUID          `json:"id"`
	Kind        Kind               `json:"kind"`
	Status      Status             `json:"status"`
	Reason      string             `json:"reason"`
	Note        string             `json:"note"`
	Assignee    *AssigneeResource  `json:"assignee"` // null: nobody
	DueAt       *wire.Time         `json:"due_at"`
	CallID      uuid.UUID          `json:"call_id"`
	ProjectID   uuid.UUID          `json:"project_id"`
	CampaignID  *uuid.UUID         `json:"campaign_id"`
	Recipient   *RecipientResource `json:"recipient"` // null for a call without one
	PhoneNumber string             `json:"phone_number"`
	LaterCallID *uuid.UUID         `json:"later_call_id"`
	CreatedBy   *string            `json:"created_by"` // null: the call itself
	CreatedAt   wire.Time          `json:"created_at"`
	DoneBy      *string            `json:"done_by"`
	DoneAt      *wire.Time         `json:"done_at"`
}

// AssigneeResource is the member who works a follow-up.
type AssigneeResource struct {
	ID   uuid.UUID `json:"id"`
	Name string    `json:"name"`
}

// RecipientResource is the recipient of a follow-up's call.
type RecipientResource struct {
	ID         *uuid.UUID `json:"id"` // null for a call without a campaign, whose recipient is in no list
	ExternalID *string    `json:"external_id"`
	Name       *string    `json:"name"`
}

// Resource converts a follow-up.
func (f FollowUp) Resource() Resource {
	r := Resource{
		ID: f.ID, Kind: f.Kind, Status: f.Status, Reason: f.Reason, Note: f.Note, DueAt: wire.Optional(f.DueAt),
		CallID: f.CallID, ProjectID: f.ProjectID, CampaignID: f.CampaignID, PhoneNumber: f.PhoneNumber,
		LaterCallID: f.LaterCallID, CreatedAt: wire.Time(f.CreatedAt), DoneBy: f.DoneBy,
		DoneAt: wire.Optional(f.DoneAt),
	}
	if f.Assignee != nil && f.AssigneeName != nil {
		r.Assignee = &AssigneeResource{*f.Assignee, *f.AssigneeName}
	}
	if f.RecipientID != nil {
		r.Recipient = &RecipientResource{ExternalID: f.ExternalID}
		if f.CampaignID != nil {
			r.Recipient.ID = f.RecipientID
		}
		if f.Name != "" {
			r.Recipient.Name = &f.Name
		}
	}
	if f.CreatedBy != "" {
		r.CreatedBy = &f.CreatedBy
	}
	return r
}
