package suppression

import (
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is an entry of the do-not-call list as the API shows it.
type Resource struct {
	ID          uuid.UUID  `json:"id"`
	Channel     Channel    `json:"channel"`
	PhoneNumber string     `json:"phone_number"` // E.164; empty when erased
	Erased      bool       `json:"erased"`
	Source      Source     `json:"source"`
	Note        string     `json:"note"`
	CallID      *uuid.UUID `json:"call_id"`
	CreatedBy   string     `json:"created_by"`
	CreatedAt   wire.Time  `json:"created_at"`
}

// Resource converts an entry.
func (e Entry) Resource() Resource {
	return Resource{
		ID: e.ID, Channel: e.Channel, PhoneNumber: e.PhoneNumber.String(), Erased: e.Erased, Source: e.Source,
		Note:   e.Note,
		CallID: e.CallID, CreatedBy: e.CreatedBy, CreatedAt: wire.Time(e.CreatedAt),
	}
}

// RemovalResource is a removed entry as the API shows it.
type RemovalResource struct {
	Resource
	RemovedBy string    `json:"removed_by"`
	RemovedAt wire.Time `json:"removed_at"`
	Reason    string    `json:"reason"`
}

// Resource converts a removal.
func (r Removal) Resource() RemovalResource {
	return RemovalResource{
		Resource: r.Entry.Resource(), RemovedBy: r.RemovedBy, RemovedAt: wire.Time(r.RemovedAt), Reason: r.Reason,
	}
}
