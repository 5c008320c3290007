package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
)

func (a *api) listProjects(w http.ResponseWriter, r *http.Request) error {
	return listAll(w, r, a.Projects.Projects, project.Project.Resource)
}

func (a *api) listPhoneNumbers(w http.ResponseWriter, r *http.Request) error {
	usable := func(ctx context.Context, organization uuid.UUID, p page.Request) (page.List[project.PhoneNumber], error) {
		return a.Projects.PhoneNumbers(ctx, organization, true, p)
	}
	return listAll(w, r, usable, project.PhoneNumber.Resource)
}

// listAll answers a list that has no filters of its own.
func listAll[T, R any](w http.ResponseWriter, r *http.Request,
	list func(context.Context, uuid.UUID, page.Request) (page.List[T], error), resource func(T) R,
) error {
	q := queryOf(r)
	p := q.page()
	if err := q.err(); err != nil {
		return err
	}
	found, err := list(r.Context(), organization(r), p)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, page.Map(found, resource))
}

func (a *api) listAgents(w http.ResponseWriter, r *http.Request) error {
	return listAll(w, r, a.Projects.Agents, project.Agent.Resource)
}
