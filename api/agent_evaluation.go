package api

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/check"
	"github.com/dialwright/dialwright/internal/evaluation"
)

// ofAgent passes the {id} of the path, which is an agent's.
func ofAgent(serve func(w http.ResponseWriter, r *http.Request, agentID uuid.UUID) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := pathID(r, "Agent")
		if err != nil {
			return err
		}
		return serve(w, r, id)
	}
}

func (a *api) createTestCase(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	var body evaluation.CaseInput
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	created, err := a.Evaluations.CreateCase(r.Context(), actor(r), id, body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, created.Resource())
}

// below reads another ID of a path. A malformed ID becomes that of no row, so that an unknown agent is reported first.
func below(r *http.Request, name string) uuid.UUID {
	id, _ := check.ParseID(r.PathValue(name))
	return id
}

func (a *api) getTestCase(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	found, err := a.Evaluations.Case(r.Context(), organization(r), id, below(r, "case_id"))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, found.Resource())
}

func (a *api) replaceTestCase(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	var body evaluation.CaseInput
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	changed, err := a.Evaluations.ReplaceCase(r.Context(), actor(r), id, below(r, "case_id"), body,
		func(old evaluation.Case) error { return unmodified(r, old.Resource()) })
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

func (a *api) deleteTestCase(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	if err := a.Evaluations.DeleteCase(r.Context(), actor(r), id, below(r, "case_id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (a *api) startTestRun(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	var body evaluation.RunInput
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	started, err := a.Evaluations.Start(r.Context(), actor(r), id, body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, started.Resource())
}

func (a *api) getTestRun(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	found, attempts, err := a.Evaluations.Run(r.Context(), organization(r), id, below(r, "run_id"))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, found.Detail(attempts))
}

func (a *api) cancelTestRun(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	canceled, err := a.Evaluations.Cancel(r.Context(), actor(r), id, below(r, "run_id"))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, canceled.Resource())
}

func (a *api) getTestAttempt(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	runID := below(r, "run_id")
	found, result, err := a.Evaluations.Attempt(r.Context(), organization(r), id, runID, below(r, "attempt_id"))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, found.Resource(runID, result))
}
