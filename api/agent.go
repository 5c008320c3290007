package api

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/dialwright/dialwright/internal/conversation"
	"github.com/dialwright/dialwright/internal/fault"
	"github.com/dialwright/dialwright/internal/project"
)

// createAgent needs no idempotency key, because an agent that exists twice calls nobody.
func (a *api) createAgent(w http.ResponseWriter, r *http.Request) error {
	var problems fault.Problems
	var body project.AgentInput
	if _, err := readBody(w, r, maxBody, &body, &problems); err != nil {
		return err
	}
	if problems.Len() > 0 {
		problems.Also(body.CheckNew()) // one answer names all problems
		return problems.Err()
	}
	created, err := a.Projects.NewAgentFrom(r.Context(), actor(r), body)
	if err != nil {
		return err
	}
	return send(w, r, http.StatusCreated, created.Resource())
}

// agentChange is the body of PATCH /agents/{id}. A client may send back the whole agent that it read.
type agentChange struct {
	project.AgentInput

	identity
	PublishedVersion *int  `json:"published_version" nullable:"true"` // read-only
	HasDraftChanges  *bool `json:"has_draft_changes"`                 // read-only

	Untranslated *[]conversation.Untranslated `json:"untranslated"` // read-only
}

func (a *api) updateAgent(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Agent")
	if err != nil {
		return err
	}
	var body agentChange
	if err := readWhole(w, r, &body); err != nil {
		return err
	}
	found, err := a.Projects.ActiveAgent(r.Context(), organization(r), id)
	if err != nil {
		return err
	}
	old := found.Resource()
	err = body.identity.check(id, found.CreatedAt,
		readOnly{"published_version", body.PublishedVersion != nil &&
			(old.PublishedVersion == nil || *body.PublishedVersion != *old.PublishedVersion)},
		kept("has_draft_changes", body.HasDraftChanges, old.HasDraftChanges),
		readOnly{"untranslated", body.Untranslated != nil &&
			!slices.EqualFunc(*body.Untranslated, old.Untranslated, conversation.Untranslated.Equal)},
	)
	if err != nil {
		return err
	}
	changed, err := a.Projects.ChangeAgent(r.Context(), actor(r), id, body.AgentInput, func(a project.Agent) error {
		return unmodified(r, a.Resource())
	})
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, changed.Resource())
}

// agentPublication is the optional body of POST /agents/{id}/publish.
type agentPublication struct {
	Note    string `json:"note"`
	Version *int   `json:"version" nullable:"true"`
}

func (a *api) publishAgent(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Agent")
	if err != nil {
		return err
	}
	var body agentPublication
	if r.ContentLength != 0 {
		if err := readWhole(w, r, &body); err != nil {
			return err
		}
	}
	published, err := a.Projects.PublishAgent(r.Context(), actor(r), id, project.Publishing(body))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, published.Resource())
}

func (a *api) getAgentVersion(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "Agent")
	if err != nil {
		return err
	}
	if _, err := a.Projects.Agent(r.Context(), organization(r), id); err != nil {
		return err
	}
	number, err := strconv.ParseInt(r.PathValue("number"), 10, 32)
	if err != nil {
		return fault.NotFoundf("Version")
	}
	v, changes, err := a.Projects.AgentVersion(r.Context(), organization(r), id, int(number))
	if err != nil {
		return err
	}
	return send(w, r, http.StatusOK, v.Detail(changes))
}
