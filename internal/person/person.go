// Package person owns what belongs to a phone number rather than to a call, a list or a message: the reference of the
// number in addresses, the notes of staff, and the search for people.
package person

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/phone"
	"github.com/dialwright/dialwright/internal/seal"
)

// Options are the dependencies of the service.
type Options struct {
	Pool  *pgxpool.Pool
	Vault *seal.Vault
}

// Service finds people and keeps notes about them. Make it with New. It is safe for concurrent use.
type Service struct{ o Options }

// New makes the service.
func New(o Options) *Service { return &Service{o} }

var errUnknown = fault.NotFoundf("Person")

// A reference is a tag of the organization and the number, and the number encrypted with a key stream that the tag
// gives. So a number always has the same reference, which tells nothing without the master key and cannot be made up.
const (
	tagPurpose    = "person"
	streamPurpose = "person number"
	numberSize    = 8 // a number has at most 15 digits
)

// Ref returns the reference of a number in addresses of pages, which are logged and kept in histories.
func (s *Service) Ref(organizationID uuid.UUID, number phone.Number) string {
	n, err := strconv.ParseUint(number.String()[min(1, len(number)):], 10, 64)
	if err != nil {
		return "" // erased or withheld
	}
	tag := s.o.Vault.Tags(tagPurpose, tagged(organizationID, number))[0]
	hidden := make([]byte, numberSize)
	binary.BigEndian.PutUint64(hidden, n)
	mask(hidden, s.o.Vault.Tags(streamPurpose, tag)[0])
	return base64.RawURLEncoding.EncodeToString(append(tag, hidden...))
}

// Number returns the number of a reference of the organization. Errors: NotFound.
func (s *Service) Number(organizationID uuid.UUID, ref string) (phone.Number, error) {
	b, err := base64.RawURLEncoding.DecodeString(ref)
	if err != nil || len(b) != seal.TagSize+numberSize {
		return "", errUnknown
	}
	tag := b[:seal.TagSize]
	for i, stream := range s.o.Vault.Tags(streamPurpose, tag) { // one for each master key
		n := append([]byte(nil), b[seal.TagSize:]...)
		mask(n, stream)
		number := phone.Number("+" + strconv.FormatUint(binary.BigEndian.Uint64(n), 10))
		if hmac.Equal(tag, s.o.Vault.Tags(tagPurpose, tagged(organizationID, number))[i]) {
			return number, nil
		}
	}
	return "", errUnknown
}

func tagged(organizationID uuid.UUID, number phone.Number) []byte {
	return append(organizationID[:], number...)
}

func mask(b, stream []byte) {
	for i := range b {
		b[i] ^= stream[i]
	}
}
