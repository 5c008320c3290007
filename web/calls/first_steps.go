package calls

import (
	"net/http"
	"slices"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/hours"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/project"
	"github.com/dialwright/dialwright/internal/sample"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

// ownAgents is how many agents the first steps look at to find one that can hold a conversation.
const ownAgents = 20

// FirstSteps reports which requirements of a first campaign exist already. Those of the sample data do not count.
func (s *Server) FirstSteps(r *http.Request) (views.FirstSteps, error) {
	v := views.FirstSteps{BaseURL: s.PublicURL, HasSandbox: s.HasSandbox}
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	of, err := s.Samples.Get(ctx, organization)
	if err != nil {
		return v, err
	}
	if of == nil {
		of = &sample.Sample{}
	}
	v.Sample = sampleData(*of)
	few := page.Request{Limit: 2} // one may be sample data
	projects, err := s.Projects.Projects(ctx, organization, few)
	if err != nil {
		return v, err
	}
	p, ok := own(projects.Data, func(p project.Project) uuid.UUID { return p.ID }, frame.OrNone(of.ProjectID))
	if ok {
		v.Project, v.ProjectID = p.Name+": "+hours.Describe(p.CallingHours), p.ID.String()
	}
	agents, err := s.Projects.Agents(ctx, organization, page.Request{Limit: ownAgents})
	if err != nil {
		return v, err
	}
	for _, a := range agents.Data {
		if lacks := agentLacks(a); a.ID != of.AgentID && (v.Agent == "" || v.AgentLacks != "" && lacks == "") {
			v.Agent, v.AgentID, v.AgentLacks = agentLabel(a), a.ID.String(), lacks
		}
	}
	numbers, err := s.Projects.VoiceNumbers(ctx, organization, few)
	if err != nil {
		return v, err
	}
	n, ok := own(numbers.Data, func(n project.PhoneNumber) uuid.UUID { return n.ID }, of.PhoneNumberID)
	if ok {
		v.PhoneNumber, v.PhoneNumberID = n.PhoneNumber.String(), n.ID.String()
	}
	connections, err := page.Collect(ctx, organization, s.Projects.Connections)
	if err != nil {
		return v, err
	}
	for _, c := range connections {
		switch {
		case c.ID == of.ConnectionID:
		case c.Kind == project.Sandbox:
			v.Sandbox = true
		default:
			v.Carrier = c.Kind.Label()
		}
	}
	drafts, err := s.Campaigns.List(ctx, organization, campaign.ListOptions{
		Page: page.Request{Limit: 1}, Statuses: page.Only(campaign.Drafted),
	})
	if err == nil && len(drafts.Data) > 0 {
		d := drafts.Data[0]
		v.Draft = views.FirstDraft{ID: d.ID.String(), Name: d.Name, Recipients: d.Total, Nobody: d.Pending == 0}
	}
	return v, err
}

// HasOwnCampaign reports whether the organization has a campaign that is no draft, besides that of its sample data.
func (s *Server) HasOwnCampaign(r *http.Request, of *views.SampleData) (bool, error) {
	begun := slices.DeleteFunc(slices.Clone(campaign.Statuses), func(status campaign.Status) bool {
		return status == campaign.Drafted
	})
	list, err := s.Campaigns.List(r.Context(), frame.SignedIn(r).Organization.ID, campaign.ListOptions{
		Page: page.Request{Limit: 2}, Statuses: begun,
	})
	return slices.ContainsFunc(list.Data, func(c campaign.Campaign) bool {
		return of == nil || c.ID.String() != of.CampaignID
	}), err
}

// agentLacks says what an agent needs before it can hold a conversation. It is empty if nothing is missing.
func agentLacks(a project.Agent) string {
	switch script := a.Followed().Script; {
	case a.Unheard() != "":
		return "It cannot place calls in its language"
	case script.Model != nil || len(script.Questions) > 0:
		return ""
	case len(a.Script.Questions) > 0:
		return "Its questions are not published yet"
	}
	return "It has no questions yet"
}

// own returns the first item that is no sample data.
func own[T any](items []T, id func(T) uuid.UUID, sample uuid.UUID) (item T, ok bool) {
	for _, item := range items {
		if id(item) != sample {
			return item, true
		}
	}
	return item, false
}

// Sample returns the sample data of the organization, or nil.
func (s *Server) Sample(r *http.Request) (*views.SampleData, error) {
	of, err := s.Samples.Get(r.Context(), frame.SignedIn(r).Organization.ID)
	if err != nil || of == nil {
		return nil, err
	}
	return sampleData(*of), nil
}

func sampleData(of sample.Sample) *views.SampleData {
	if of.CampaignID == uuid.Nil {
		return nil
	}
	return &views.SampleData{CampaignID: of.CampaignID.String(), Removing: of.RemovedAt != nil}
}

// CreateSample creates the sample data and shows its campaign.
func (s *Server) CreateSample(w http.ResponseWriter, r *http.Request) error {
	made, err := s.Samples.Create(r.Context(), s.Actor(r))
	if err != nil {
		return err
	}
	return frame.SeeOther(w, r, "/campaigns/"+made.CampaignID.String())
}

// RemoveSample removes the sample data.
func (s *Server) RemoveSample(w http.ResponseWriter, r *http.Request) error {
	done, err := s.Samples.Remove(r.Context(), s.Actor(r))
	told := "Sample data removed: the campaign with its recipients and calls, the agent, the phone number and the " +
		"connection"
	if !done {
		told = "The sample data is removed when its last calls have ended"
	}
	return s.Done(w, r, err, told, "/")
}
