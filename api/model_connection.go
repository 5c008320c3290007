package api

import (
	"encoding/json"
	"net/http"

	modelconn "github.com/dialwright/dialwright/internal/model/connection"
)

// modelConnection names the resource in the error of an unknown ID.
const modelConnection = "Model connection"

// createModelConnection ignores an Idempotency-Key, because the body contains a key of the provider.
func (a *api) createModelConnection(w http.ResponseWriter, r *http.Request) error {
	var body modelconn.NewConnection
	if err := readChecked(w, r, &body, func() error { return a.Models.CheckNew(&body) }); err != nil {
		return err
	}
	created, err := a.Models.Create(r.Context(), actor(r), body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, created.Resource())
}

// modelConnectionChange is the body of PATCH /model-connections/{id}. A client may send back the whole connection that
// it read. null removes a price, the currency or the URL.
type modelConnectionChange struct {
	Name             *string  `json:"name"`
	URL              **string `json:"url" nullable:"true"`
	Key              *string  `json:"key"`
	Model            *string  `json:"model"`
	Streams          *int     `json:"streams"`
	InputPrice       **string `json:"input_price" nullable:"true"`
	CachedInputPrice **string `json:"cached_input_price" nullable:"true"`
	OutputPrice      **string `json:"output_price" nullable:"true"`
	Currency         **string `json:"currency" nullable:"true"`

	identity
	Provider *string         `json:"provider"` // read-only
	HasKey   *bool           `json:"has_key"`  // read-only
	Health   json.RawMessage `json:"health"`   // read-only; ignored, because it changes with every call
}

// readOnly refuses other values of the fields that no client changes.
func (b modelConnectionChange) readOnly(c modelconn.Connection) error {
	return b.identity.check(c.ID, c.CreatedAt,
		kept("provider", b.Provider, string(c.Provider)), kept("has_key", b.HasKey, c.HasKey))
}

func (b modelConnectionChange) change() modelconn.Change {
	// emptied turns null into an empty text.
	emptied := func(field **string) *string {
		if field != nil && *field == nil {
			return new("")
		}
		if field == nil {
			return nil
		}
		return *field
	}
	return modelconn.Change{
		Name: b.Name, URL: emptied(b.URL), Key: b.Key, Model: b.Model, Streams: b.Streams,
		InputPrice: emptied(b.InputPrice), CachedInputPrice: emptied(b.CachedInputPrice),
		OutputPrice: emptied(b.OutputPrice), Currency: emptied(b.Currency),
	}
}

func (a *api) updateModelConnection(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, modelConnection)
	if err != nil {
		return err
	}
	var body modelConnectionChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	changed, err := a.Models.Update(r.Context(), actor(r), id, body.change(), func(old modelconn.Connection) error {
		if err := unmodified(r, old.Resource()); err != nil {
			return err
		}
		return body.readOnly(old)
	})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

func (a *api) checkModelConnection(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, modelConnection)
	if err != nil {
		return err
	}
	result, err := a.Models.Check(r.Context(), actor(r), id)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, result.Resource())
}
