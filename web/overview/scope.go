package overview

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
	"github.com/dialwright/dialwright/web/messages"
)

// overviewLimits is the number of WhatsApp limits on the overview, the fullest first.
const overviewLimits = 3

// overviewScope is the project, agent or campaign that the overview is filtered by.
type overviewScope struct {
	call.Scope
	campaign campaign.Campaign // set if the overview is filtered by one campaign
}

// overviewScope reads the filters of the overview from the address. Errors: NotFound.
func (s *Server) overviewScope(r *http.Request, v *views.Overview) (scope overviewScope, err error) {
	ctx, organization, q := r.Context(), frame.SignedIn(r).Organization.ID, r.URL.Query()
	v.Scope = views.OverviewScope{
		ProjectID: q.Get("project_id"), CampaignID: q.Get("campaign_id"), AgentID: q.Get("agent_id"),
		NumberID: q.Get("phone_number_id"),
	}
	if v.Scope.ProjectID != "" {
		id, err := frame.ParseID(v.Scope.ProjectID, "Project")
		if err != nil {
			return scope, err
		}
		p, err := s.Projects.Project(ctx, organization, id)
		if err != nil {
			return scope, err
		}
		scope.ProjectID, v.Scope.Projects = &p.ID, []ui.Option{{Value: p.ID.String(), Label: p.Name}}
	}
	if v.Scope.CampaignID != "" {
		id, err := frame.ParseID(v.Scope.CampaignID, "Campaign")
		if err != nil {
			return scope, err
		}
		c, err := s.Campaigns.Get(ctx, organization, id)
		if err != nil {
			return scope, err
		}
		scope.campaign = c
		scope.CampaignID, v.Scope.Campaigns = &c.ID, []ui.Option{{Value: c.ID.String(), Label: c.Name}}
	}
	if v.Scope.AgentID != "" {
		id, err := frame.ParseID(v.Scope.AgentID, "Agent")
		if err != nil {
			return scope, err
		}
		a, err := s.Projects.Agent(ctx, organization, id)
		if err != nil {
			return scope, err
		}
		scope.AgentID, v.Scope.Agents = &a.ID, []ui.Option{{Value: a.ID.String(), Label: a.Name}}
	}
	if v.Scope.NumberID != "" {
		id, err := frame.ParseID(v.Scope.NumberID, "Phone number")
		if err != nil {
			return scope, err
		}
		n, err := s.Projects.PhoneNumber(ctx, organization, id)
		if err != nil {
			return scope, err
		}
		scope.PhoneNumberID, v.Scope.Numbers = &n.ID, []ui.Option{numberOption(n)}
	}
	return scope, nil
}

func numberOption(n project.PhoneNumber) ui.Option {
	return ui.Option{Value: n.ID.String(), Label: ui.Phone(n.PhoneNumber.String())}
}

// numbers returns the organization's active phone numbers.
func (s *Server) numbers(r *http.Request) ([]project.PhoneNumber, error) {
	return page.Collect(r.Context(), frame.SignedIn(r).Organization.ID, func(
		ctx context.Context, organization uuid.UUID, p page.Request,
	) (page.List[project.PhoneNumber], error) {
		return s.Projects.PhoneNumbers(ctx, organization, false, p)
	})
}

// overviewChoices adds the choices of the filters.
func (s *Server) overviewChoices(r *http.Request, v *views.OverviewScope) error {
	projects, err := s.ProjectOptions(r)
	if err != nil {
		return err
	}
	campaigns, agents, err := s.calls.CampaignsAndAgents(r)
	if err != nil {
		return err
	}
	numbers, err := s.numbers(r)
	if err != nil {
		return err
	}
	var own []ui.Option
	for _, n := range numbers {
		own = append(own, numberOption(n))
	}
	v.Projects, v.Numbers = withChosen(projects, v.Projects), withChosen(own, v.Numbers)
	v.Campaigns, v.Agents = withChosen(campaigns, v.Campaigns), withChosen(agents, v.Agents)
	return nil
}

// withChosen adds the chosen option if the latest options lack it.
func withChosen(latest, chosen []ui.Option) []ui.Option {
	for _, o := range chosen {
		if !slices.Contains(latest, o) {
			latest = append(latest, o)
		}
	}
	return latest
}

// campaignsNow returns the running, paused and scheduled campaigns in scope.
func (s *Server) campaignsNow(r *http.Request, scope overviewScope) ([]campaign.Campaign, error) {
	now := []campaign.Status{campaign.Running, campaign.Paused, campaign.Scheduled}
	options := campaign.ListOptions{
		ProjectID: scope.ProjectID, AgentID: scope.AgentID, Page: page.Request{Limit: overviewCampaigns},
	}
	if c := scope.campaign; scope.CampaignID != nil {
		if !slices.Contains(now, c.Status) || scope.ProjectID != nil && *scope.ProjectID != c.ProjectID ||
			scope.AgentID != nil && *scope.AgentID != c.AgentID {
			return nil, nil
		}
		return []campaign.Campaign{c}, nil
	}
	var shown []campaign.Campaign
	for _, status := range now {
		options.Statuses = page.Only(status)
		list, err := s.Campaigns.List(r.Context(), frame.SignedIn(r).Organization.ID, options)
		if err != nil {
			return nil, err
		}
		shown = append(shown, list.Data...)
	}
	return shown, nil
}

// callsIn adds the scope to a link to calls. It returns no link for a project, because
// the list of calls has no filter by project.
func callsIn(scope call.Scope, href string) string {
	if href == "" || scope.ProjectID != nil {
		return ""
	}
	// The figures leave out inbound calls and those that were not placed.
	q := url.Values{"direction": {string(call.Outbound)}, "placed": {"yes"}}
	if scope.CampaignID != nil {
		q.Set("campaign_id", scope.CampaignID.String())
	}
	if scope.AgentID != nil {
		q.Set("agent_id", scope.AgentID.String())
	}
	if scope.PhoneNumberID != nil {
		q.Set("phone_number_id", scope.PhoneNumberID.String())
	}
	return href + "&" + q.Encode()
}

// overviewMessaging adds the WhatsApp limits in use. It does nothing if WhatsApp is off.
func (s *Server) overviewMessaging(r *http.Request, v *views.Overview) error {
	if !s.Messaging.On() {
		return nil
	}
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	numbers, err := s.WhatsApp.Numbers(ctx, organization)
	if err != nil {
		return err
	}
	own, err := s.numbers(r)
	if err != nil {
		return err
	}
	linked := map[string]bool{} // the keys are WhatsApp's IDs of numbers
	for _, n := range own {
		linked[frame.OrNone(n.MessagingExternalID)] = true
	}
	for _, l := range messages.Limits(numbers) {
		if l.Used > 0 || l.Planned > 0 ||
			slices.ContainsFunc(l.Numbers, func(n views.MessagingNumber) bool { return linked[n.ExternalID] }) {
			v.Limits = append(v.Limits, l)
		}
	}
	slices.SortStableFunc(v.Limits, func(a, b views.MessagingLimit) int { return cmp.Compare(b.Share(), a.Share()) })
	v.Limits = v.Limits[:min(len(v.Limits), overviewLimits)]
	return nil
}
