package api

import (
	"encoding/json"
	"net/http"

	"github.com/dialwright/dialwright/internal/messaging/connection"
)

// connectWhatsApp ignores an Idempotency-Key, because the body contains credentials.
func (a *api) connectWhatsApp(w http.ResponseWriter, r *http.Request) error {
	var body connection.NewInput
	if err := readChecked(w, r, &body, func() error { return body.Check() }); err != nil {
		return err
	}
	connected, err := a.WhatsApp.Connect(r.Context(), actor(r), body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, connected.Resource())
}

// whatsAppChange is the body of PATCH /whatsapp/connections/{id}. A client may send back the whole connection that it
// read.
type whatsAppChange struct {
	connection.Input

	// These are read-only.
	identity
	Account *string `json:"account"`

	// The operator changes these, so they are ignored.
	Subscribed   json.RawMessage `json:"subscribed"`
	PausedReason json.RawMessage `json:"paused_reason" nullable:"true"`
	PausedUntil  json.RawMessage `json:"paused_until" nullable:"true"`
	ReadAt       json.RawMessage `json:"read_at" nullable:"true"`
	LastError    json.RawMessage `json:"last_error" nullable:"true"`
	LastErrorAt  json.RawMessage `json:"last_error_at" nullable:"true"`
}

func (a *api) updateWhatsApp(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Connection")
	if err != nil {
		return err
	}
	var body whatsAppChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	changed, err := a.WhatsApp.ChangeConnection(r.Context(), actor(r), id, body.Input,
		func(old connection.Connection) error {
			if err := unmodified(r, old.Resource()); err != nil {
				return err
			}
			return body.identity.check(id, old.CreatedAt, kept("account", body.Account, old.Account))
		})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}
