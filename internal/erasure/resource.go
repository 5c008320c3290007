package erasure

import (
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// Resource is an erasure in the API.
type Resource struct {
	ID         uuid.UUID `json:"id"`
	Status     string    `json:"status"` // running, completed
	Calls      int       `json:"calls"`
	Recipients int       `json:"recipients"`
	Messages   int       `json:"messages"`
	Events     int       `json:"events"`
	// RecordingsPending counts the recordings that carriers have not deleted yet.
	RecordingsPending int        `json:"recordings_pending"`
	CreatedAt         wire.Time  `json:"created_at"`
	CompletedAt       *wire.Time `json:"completed_at"`
}

// Resource converts an erasure.
func (e Erasure) Resource() Resource {
	r := Resource{
		ID: e.ID, Status: "running", Calls: e.Calls, Recipients: e.Recipients, Messages: e.Messages, Events: e.Events,
		RecordingsPending: e.Recordings,
		CreatedAt:         wire.Time(e.CreatedAt), CompletedAt: wire.Optional(e.CompletedAt),
	}
	if e.CompletedAt != nil {
		r.Status = "completed"
	}
	return r
}
