package api

import (
	"net/http"
	"strings"

	"github.com/dialwright/dialwright/internal/export"
)

// newEvidence is the body of POST /evidence. The number is in the body, because addresses are logged.
type newEvidence struct {
	PhoneNumber string `json:"phone_number"`
}

// collectEvidence needs no idempotency key, because it changes nothing. If a row fails, it aborts the
// connection, so that the client does not mistake the part for the whole file.
func (a *api) collectEvidence(w http.ResponseWriter, r *http.Request) error {
	var body newEvidence
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	file, err := a.Evidence.Open(r.Context(), actor(r), strings.TrimSpace(body.PhoneNumber))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	out := export.NewWriter(w)
	return a.whole(r, out.Failed(file.Write(r.Context(), out)))
}
