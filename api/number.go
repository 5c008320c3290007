package api

import (
	"net/http"
	"time"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// addPhoneNumber needs no idempotency key, because an organization has a number once.
func (a *api) addPhoneNumber(w http.ResponseWriter, r *http.Request) error {
	var body project.NewNumberInput
	if err := readChecked(w, r, &body, func() error { return body.Check() }); err != nil {
		return err
	}
	added, err := a.Projects.AddPhoneNumber(r.Context(), actor(r), body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, added.Resource())
}

// phoneNumberChange is the body of PATCH /phone-numbers/{id}. A client may send back the whole number that it read.
type phoneNumberChange struct {
	project.NumberInput

	// These are read-only.
	identity
	PhoneNumber  *string  `json:"phone_number"`
	Carrier      *string  `json:"carrier"`
	ConnectionID *string  `json:"connection_id"`
	NumberPoolID **string `json:"number_pool_id" nullable:"true"`
}

func (a *api) updatePhoneNumber(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Phone number")
	if err != nil {
		return err
	}
	var body phoneNumberChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	changed, err := a.Projects.ChangePhoneNumber(r.Context(), actor(r), id, body.NumberInput,
		func(old project.PhoneNumber) error {
			is := old.Resource()
			if err := unmodified(r, is); err != nil {
				return err
			}
			return body.identity.check(id, old.CreatedAt,
				kept("phone_number", body.PhoneNumber, is.PhoneNumber),
				kept("carrier", body.Carrier, string(is.Carrier)),
				keptID("connection_id", body.ConnectionID, is.ConnectionID),
				keptOrNull("number_pool_id", body.NumberPoolID, is.NumberPoolID),
			)
		})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

// createNumberPool needs no idempotency key, because a number is in one pool only.
func (a *api) createNumberPool(w http.ResponseWriter, r *http.Request) error {
	var settings project.NumberPoolSettings
	if err := readChecked(w, r, &settings, settings.Check); err != nil {
		return err
	}
	created, err := a.Projects.CreateNumberPool(r.Context(), actor(r), settings)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, created.Resource())
}

// numberPoolChange is the body of PUT /number-pools/{id}. A client may send back the whole pool that
// it read.
type numberPoolChange struct {
	project.NumberPoolSettings
	identity
}

func (a *api) replaceNumberPool(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Number pool")
	if err != nil {
		return err
	}
	var body numberPoolChange
	if err := readChecked(w, r, &body, body.NumberPoolSettings.Check); err != nil {
		return err
	}
	changed, err := a.Projects.UpdateNumberPool(r.Context(), actor(r), id, body.NumberPoolSettings,
		func(old project.NumberPool) error {
			if err := unmodified(r, old.Resource()); err != nil {
				return err
			}
			return body.identity.check(id, old.CreatedAt)
		})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

// inboundChange is the body of PUT /phone-numbers/{id}/inbound. A client may send back the whole object that it read.
type inboundChange struct {
	project.InboundInput

	PhoneNumberID *string    `json:"phone_number_id"`            // read-only
	UpdatedAt     *time.Time `json:"updated_at" nullable:"true"` // read-only
}

func (a *api) setInbound(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Phone number")
	if err != nil {
		return err
	}
	var body inboundChange
	var p fault.Problems
	if _, err := readBody(w, r, maxBody, &body, &p); err != nil {
		return err
	}
	p.Also(body.Check())
	refuseChanges(&p, "", keptID("phone_number_id", body.PhoneNumberID, id))
	if err := p.Err(); err != nil {
		return err
	}
	set, err := a.Projects.SetInbound(r.Context(), actor(r), id, body.InboundInput, func(old project.Inbound) error {
		if err := unmodified(r, old.Resource()); err != nil {
			return err
		}
		if body.UpdatedAt != nil && (old.UpdatedAt == nil || !body.UpdatedAt.Equal(*old.UpdatedAt)) {
			return fault.Invalidf("updated_at", "cannot be changed")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, set.Resource())
}

// inboundSetUp is the body of POST /phone-numbers/{id}/inbound/set-up.
type inboundSetUp struct {
	Revision string `json:"revision"`
}

func (a *api) setUpInbound(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Phone number")
	if err != nil {
		return err
	}
	var body inboundSetUp
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	set, err := a.Projects.SetUpInbound(r.Context(), actor(r), id, body.Revision)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, set.Resource())
}
