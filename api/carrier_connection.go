package api

import (
	"encoding/json"
	"net/http"

	"github.com/dialwright/dialwright/internal/project"
)

// createCarrierConnection ignores an Idempotency-Key, because the body contains credentials.
func (a *api) createCarrierConnection(w http.ResponseWriter, r *http.Request) error {
	var body project.NewConnectionInput
	if err := readChecked(w, r, &body, func() error { return body.Check() }); err != nil {
		return err
	}
	created, err := a.Projects.Connect(r.Context(), actor(r), body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, created.Resource())
}

// carrierConnectionChange is the body of PATCH /carrier-connections/{id}. A client may send back the whole connection
// that it read.
type carrierConnectionChange struct {
	project.ConnectionInput

	// These are read-only.
	identity
	Carrier *string `json:"carrier"`
	Account *string `json:"account"`
	Region  *string `json:"region"`

	// These change with time and with every call, so they are ignored.
	PreviousTokenUntil json.RawMessage `json:"previous_token_until" nullable:"true"`
	Health             json.RawMessage `json:"health"`
}

func (a *api) updateCarrierConnection(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Connection")
	if err != nil {
		return err
	}
	var body carrierConnectionChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	changed, err := a.Projects.ChangeConnection(r.Context(), actor(r), id, body.ConnectionInput,
		func(old project.Connection) error {
			if err := unmodified(r, old.Resource()); err != nil {
				return err
			}
			return body.identity.check(id, old.CreatedAt,
				kept("carrier", body.Carrier, string(old.Kind)),
				kept("account", body.Account, old.Account),
				kept("region", body.Region, string(old.Region)),
			)
		})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}
