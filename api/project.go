package api

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/project"
)

// createProject needs no idempotency key, because a name is unique.
func (a *api) createProject(w http.ResponseWriter, r *http.Request) error {
	var body project.Input
	if err := readChecked(w, r, &body, func() error { return body.CheckNew() }); err != nil {
		return err
	}
	created, err := a.Projects.NewProjectFrom(r.Context(), actor(r), body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, created.Resource())
}

// projectChange is the body of PATCH /projects/{id}. A client may send back the whole project that it read.
type projectChange struct {
	project.Input
	identity
}

func (a *api) updateProject(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Project")
	if err != nil {
		return err
	}
	var body projectChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	changed, err := a.Projects.ChangeProject(r.Context(), actor(r), id, body.Input, func(old project.Project) error {
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
