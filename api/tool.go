package api

import (
	"encoding/json"
	"net/http"

	"github.com/dialwright/dialwright/internal/compress"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/tool"
)

// createTool ignores an Idempotency-Key, because the answer contains the secret.
func (a *api) createTool(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body tool.NewTool
	if _, err := readBody(w, r, maxBody, &body, &problems); err != nil {
		return err
	}
	problems.Also(a.Tools.CheckNew(&body))
	if err := problems.Err(); err != nil {
		return err
	}
	created, secret, err := a.Tools.Create(r.Context(), actor(r), body)
	if err != nil {
		return err
	}
	compress.ShowsSecret(w)
	return send(w, r, http.StatusCreated, created.Resource().WithSecret(secret))
}

func (a *api) updateTool(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Tool")
	if err != nil {
		return err
	}
	var change tool.Change
	if err := readWhole(w, r, &change); err != nil {
		return err
	}
	changed, err := a.Tools.Update(r.Context(), actor(r), id, change, func(old tool.Tool) error {
		return unmodified(r, old.Resource())
	})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

func (a *api) rotateToolSecret(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Tool")
	if err != nil {
		return err
	}
	rotated, secret, err := a.Tools.RotateSecret(r.Context(), actor(r), id, "")
	if err != nil {
		return err
	}
	compress.ShowsSecret(w)
	return send(w, r, http.StatusOK, rotated.Resource().WithSecret(secret))
}

// toolTrial is the optional body of POST /tools/{id}/try.
type toolTrial struct {
	Arguments json.RawMessage   `json:"arguments"`
	Variables map[string]string `json:"variables"`
}

func (a *api) tryTool(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Tool")
	if err != nil {
		return err
	}
	var body toolTrial
	if r.ContentLength != 0 {
		if err := readWhole(w, r, &body); err != nil {
			return err
		}
	}
	trial, err := a.Tools.Try(r.Context(), actor(r), id, body.Arguments, body.Variables)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, trial.Resource())
}
