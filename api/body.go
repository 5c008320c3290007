package api

import (
	"crypto/sha256"
	"io"
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
)

// Limits of a body, in bytes: with a recipient list, and any other.
const (
	maxList = 64 << 20
	maxBody = 1 << 20
)

// bodyTimeout bounds how long a client may take to send a body.
const bodyTimeout = 2 * time.Minute

// readBody decodes the body into dst as decode does, and gives its SHA-256.
// Where the JSON itself is wrong, that is the error; other problems are left to
// the caller, who may find more.
func readBody(w http.ResponseWriter, r *http.Request, limit int64, dst any, problems *fault.Problems) (digest []byte, err error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	exchangeOf(r).reading = true
	// A real connection always has deadlines. This one must not outlast the
	// body: net/http would take the client for gone.
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(bodyTimeout))
	defer func() { _ = connection.SetReadDeadline(time.Time{}) }()
	hash := sha256.New()
	whole, err := decode(io.TeeReader(http.MaxBytesReader(w, r.Body, limit), hash), dst, problems)
	if err == nil && !whole {
		err = problems.Err()
	}
	return hash.Sum(nil), err
}

func tooLarge(limit int64) error {
	return fault.New(fault.TooLarge, "The body is larger than the limit of %d MiB", limit>>20)
}
