package api

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// createDestination needs no idempotency key, because a name is unique within its project.
func (a *api) createDestination(w http.ResponseWriter, r *http.Request) error {
	var settings project.DestinationSettings
	var problems fault.Problems
	if _, err := readBody(w, r, maxBody, &settings, &problems); err != nil {
		return err
	}
	problems.Also(settings.Check())
	if settings.ProjectID == "" {
		problems.Addf("project_id", "required")
	}
	if err := problems.Err(); err != nil {
		return err
	}
	created, err := a.Projects.CreateDestination(r.Context(), actor(r), settings)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, created.Resource())
}

// destinationChange is the body of PUT /destinations/{id}. A client may send back the whole destination that it read.
type destinationChange struct {
	project.DestinationSettings
	identity
}

func (a *api) replaceDestination(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Destination")
	if err != nil {
		return err
	}
	var body destinationChange
	if err := readChecked(w, r, &body, func() error { return body.DestinationSettings.Check() }); err != nil {
		return err
	}
	changed, err := a.Projects.UpdateDestination(r.Context(), actor(r), id, body.DestinationSettings,
		func(old project.Destination) error {
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
