package person

import (
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/wire"
)

// NoteResource is a note as evidence prints it.
type NoteResource struct {
	ID        uuid.UUID  `json:"id"`
	Text      string     `json:"text"`
	CreatedBy string     `json:"created_by"`
	CreatedAt wire.Time  `json:"created_at"`
	UpdatedBy *string    `json:"updated_by"`
	UpdatedAt *wire.Time `json:"updated_at"`
}

// Resource converts a note.
func (n Note) Resource() NoteResource {
	return NoteResource{
		ID: n.ID, Text: n.Text, CreatedBy: n.CreatedBy, CreatedAt: wire.Time(n.CreatedAt),
		UpdatedBy: n.UpdatedBy, UpdatedAt: wire.Optional(n.UpdatedAt),
	}
}
