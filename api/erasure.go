package api

import (
	"net/http"
	"strings"
)

// newErasure is the body of POST /erasures.
type newErasure struct {
	PhoneNumber string `json:"phone_number"`
}

// createErasure needs no idempotency key: a second request during an erasure returns the
// same erasure.
func (a *api) createErasure(w http.ResponseWriter, r *http.Request) error {
	var body newErasure
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	e, err := a.Erasures.Request(r.Context(), actor(r), strings.TrimSpace(body.PhoneNumber))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusAccepted, e.Resource())
}
