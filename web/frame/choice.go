package frame

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views/ui"
)

// ProjectOptions are the organization's active projects, to choose from.
func (s *Server) ProjectOptions(r *http.Request) ([]ui.Option, error) {
	all, err := page.Collect(r.Context(), SignedIn(r).Organization.ID, s.Projects.Projects)
	if err != nil {
		return nil, err
	}
	options := make([]ui.Option, len(all))
	for i, p := range all {
		options[i] = ui.Option{Value: p.ID.String(), Label: p.Name}
	}
	return options, nil
}

// AgentOptions are the organization's active agents, to choose from.
func (s *Server) AgentOptions(r *http.Request) ([]ui.Option, error) {
	all, err := page.Collect(r.Context(), SignedIn(r).Organization.ID, s.Projects.Agents)
	if err != nil {
		return nil, err
	}
	options := make([]ui.Option, len(all))
	for i, a := range all {
		options[i] = ui.Option{Value: a.ID.String(), Label: a.Name}
	}
	return options, nil
}

// CampaignOptions are the latest campaigns, to choose from. An integration may make thousands of campaigns.
func (s *Server) CampaignOptions(r *http.Request) ([]ui.Option, error) {
	latest, err := s.Campaigns.List(r.Context(), SignedIn(r).Organization.ID, campaign.ListOptions{
		Page: page.Request{Limit: page.ShownLimit},
	})
	if err != nil {
		return nil, err
	}
	options := make([]ui.Option, len(latest.Data))
	for i, c := range latest.Data {
		options[i] = ui.Option{Value: c.ID.String(), Label: c.Name}
	}
	return options, nil
}

// DestinationOptions are the active destinations of a project, or of all projects for nil, by name, to choose from.
func (s *Server) DestinationOptions(r *http.Request, projectID *uuid.UUID) ([]ui.Option, error) {
	all, err := page.Collect(r.Context(), SignedIn(r).Organization.ID, s.Projects.Destinations)
	if err != nil {
		return nil, err
	}
	var options []ui.Option
	for _, d := range all {
		if projectID == nil || d.ProjectID == *projectID {
			options = append(options, ui.Option{Value: d.ID.String(), Label: d.Name})
		}
	}
	slices.SortFunc(options, func(a, b ui.Option) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label)), cmp.Compare(a.Value, b.Value))
	})
	return options, nil
}
