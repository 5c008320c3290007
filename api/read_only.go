package api

import (
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/fault"
)

// readOnly is a field that no request changes. A client may send it back as it read it.
type readOnly struct {
	name    string
	changed bool // the request has another value
}

// kept is a read-only field. sent is nil if the request leaves it out.
func kept[T comparable](name string, sent *T, is T) readOnly {
	return readOnly{name: name, changed: sent != nil && *sent != is}
}

func keptID(name string, sent *string, is uuid.UUID) readOnly { return kept(name, sent, is.String()) }

// keptOrNull is a read-only field that may be null.
func keptOrNull[T any](name string, sent **T, is any) readOnly {
	return readOnly{name: name, changed: sent != nil && !campaign.SameJSON(*sent, is)}
}

func keptTime(name string, sent *time.Time, is time.Time) readOnly {
	return readOnly{name: name, changed: sent != nil && !sent.Equal(is)}
}

// refuseChanges adds a problem for each field that the request changes. instead says what to do, and may be empty.
func refuseChanges(p *fault.Problems, instead string, fields ...readOnly) {
	text := "cannot be changed"
	if instead != "" {
		text += ". " + instead
	}
	for _, f := range fields {
		if f.changed {
			p.Addf(f.name, "%s", text)
		}
	}
}

// identity is what every object keeps.
type identity struct {
	ID        *string    `json:"id"`
	CreatedAt *time.Time `json:"created_at"`
}

// check refuses the identity of another object, and other values of more read-only fields. Error: Invalid.
func (i identity) check(id uuid.UUID, createdAt time.Time, more ...readOnly) error {
	var p fault.Problems
	refuseChanges(&p, "", keptID("id", i.ID, id))
	refuseChanges(&p, "", more...)
	refuseChanges(&p, "", keptTime("created_at", i.CreatedAt, createdAt))
	return p.Err()
}
