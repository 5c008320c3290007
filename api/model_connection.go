package api

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/fault"
	modelconn "github.com/dialwright/dialwright/internal/model/connection"
)

// modelConnection names the resource in the error of an unknown ID.
const modelConnection = "Model connection"

// createModelConnection ignores an Idempotency-Key, because the body contains a key of the provider.
func (a *api) createModelConnection(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body modelconn.NewConnection
	if _, err := readBody(w, r, maxBody, &body, &problems); err != nil {
		return err
	}
	problems.Also(a.Models.CheckNew(&body))
	if err := problems.Err(); err != nil {
		return err
	}
	created, err := a.Models.Create(r.Context(), actor(r), body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, created.Resource())
}

func (a *api) updateModelConnection(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, modelConnection)
	if err != nil {
		return err
	}
	var change modelconn.Change
	if err := readWhole(w, r, &change); err != nil {
		return err
	}
	changed, err := a.Models.Update(r.Context(), actor(r), id, change)
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
