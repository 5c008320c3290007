package webhooks

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/webhook"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// Fields of the filters.
const (
	projectsField  = "filters.project_ids"
	campaignsField = "filters.campaign_ids"
	agentsField    = "filters.agent_ids"
)

// filterKind is how the form and the page show one list of a webhook's filters.
type filterKind struct {
	field, legend, noun, hint string
	stored                    func(webhook.Filters) []uuid.UUID
	options                   func(*http.Request) ([]ui.Option, error)
	names                     func(context.Context, uuid.UUID, []uuid.UUID) (map[uuid.UUID]string, error)
	removed                   bool // an ID that is no option is one that was removed
}

func (s *Server) filterKinds() []filterKind {
	return []filterKind{
		{
			field: projectsField, legend: "Projects", noun: "project",
			stored:  func(f webhook.Filters) []uuid.UUID { return f.ProjectIDs },
			options: s.ProjectOptions, names: s.Projects.ProjectNames, removed: true,
		},
		{
			field: agentsField, legend: "Agents", noun: "agent", hint: "Of the call, or of the campaign",
			stored:  func(f webhook.Filters) []uuid.UUID { return f.AgentIDs },
			options: s.AgentOptions, names: s.Projects.AgentNames, removed: true,
		},
		{
			field: campaignsField, legend: "Campaigns", noun: "campaign",
			hint:    "The newest campaigns. Use the API to choose any other",
			stored:  func(f webhook.Filters) []uuid.UUID { return f.CampaignIDs },
			options: s.CampaignOptions, names: s.Campaigns.Names,
		},
	}
}

// filterChoices are the filters of the form: what can be chosen, and the stored ones with their names.
func (s *Server) filterChoices(
	r *http.Request, stored webhook.Filters, form url.Values,
) ([]views.WebhookFilter, error) {
	var filters []views.WebhookFilter
	for _, k := range s.filterKinds() {
		v := views.WebhookFilter{Name: k.field, Legend: k.legend, Hint: k.hint, Chosen: form[k.field]}
		var err error
		if v.Options, err = k.options(r); err != nil {
			return nil, err
		}
		names, err := k.names(r.Context(), frame.SignedIn(r).Organization.ID, k.stored(stored))
		if err != nil {
			return nil, err
		}
		for _, id := range k.stored(stored) {
			value, name := id.String(), names[id]
			if form == nil {
				v.Chosen = append(v.Chosen, value)
			}
			offered := slices.ContainsFunc(v.Options, func(o ui.Option) bool { return o.Value == value })
			if name == "" || offered {
				continue // without a name, the form says that it is no longer available
			}
			if k.removed {
				name += " (removed)"
			}
			v.Options = append(v.Options, ui.Option{Value: value, Label: name})
		}
		filters = append(filters, v)
	}
	return filters, nil
}

// filterWords are the filters on the page of a webhook.
func (s *Server) filterWords(r *http.Request, stored webhook.Filters) (words []string, err error) {
	for _, k := range s.filterKinds() {
		names, err := k.names(r.Context(), frame.SignedIn(r).Organization.ID, k.stored(stored))
		if err != nil {
			return nil, err
		}
		for _, id := range k.stored(stored) {
			name := names[id]
			if name == "" {
				words = append(words, "no longer available "+k.noun)
				continue
			}
			words = append(words, k.noun+" "+name)
		}
	}
	return words, nil
}

// filterInput reads the filters of a sent form.
func filterInput(form url.Values) webhook.FilterInput {
	return webhook.FilterInput{
		ProjectIDs: form[projectsField], CampaignIDs: form[campaignsField], AgentIDs: form[agentsField],
	}
}
