package check

import (
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/fault"
)

// ParseID reads an ID in the one spelling that the product writes. uuid.Parse accepts
// other spellings, such as braces around the ID.
func ParseID(s string) (uuid.UUID, bool) {
	id, err := uuid.Parse(s)
	return id, err == nil && len(s) == len("01890a5d-ac96-774b-bcce-b302099a8057")
}

// ID reads a required ID of a noun. A malformed ID gets the same problem text as an
// unknown ID.
func ID(p *fault.Problems, path, noun, s string) uuid.UUID {
	id, ok := ParseID(s)
	switch {
	case s == "":
		p.Addf(path, "required")
	case !ok:
		p.Addf(path, "no such %s", noun)
	default:
		return id
	}
	return uuid.Nil
}
