package api

import (
	"net/http"
	"strings"
)

// newEvidence is the body of POST /evidence. The number is in the body, because addresses are logged.
type newEvidence struct {
	PhoneNumber string `json:"phone_number"`
}

// begunWriter knows whether a part of the answer was sent.
type begunWriter struct {
	w     http.ResponseWriter
	begun bool
}

func (b *begunWriter) Write(p []byte) (int, error) {
	b.begun = true
	return b.w.Write(p)
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
	out := &begunWriter{w: w}
	if err := file.Write(r.Context(), out); err != nil {
		if !out.begun {
			return err
		}
		if r.Context().Err() == nil { // a canceled request means that the client has gone
			a.Log.ErrorContext(r.Context(), "evidence broke off", "request_id", exchangeOf(r).id, "error", err)
		}
		panic(http.ErrAbortHandler)
	}
	return nil
}
