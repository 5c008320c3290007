package calls

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

func (s *Server) ListCampaigns(w http.ResponseWriter, r *http.Request) error {
	v, err := s.campaignsView(r)
	if err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.CampaignsPage(s.Chrome(r), v))
}

func (s *Server) CampaignsEvents(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "campaigns", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.campaignsView(r)
		if err != nil {
			return nil, false, err
		}
		part, err := s.WithRunning(r, views.CampaignsLive(s.LiveChrome(r, "/campaigns"), v))
		return part, false, err
	})
}

func (s *Server) campaignsView(r *http.Request) (views.Campaigns, error) {
	q := r.URL.Query()
	v := views.Campaigns{Status: q.Get("status"), Search: strings.TrimSpace(q.Get("q"))}
	list, err := s.Campaigns.List(r.Context(), frame.SignedIn(r).Organization.ID, campaign.ListOptions{
		Page: frame.PageOf(r), Statuses: page.Only(campaign.Status(v.Status)), Search: v.Search,
	})
	if err != nil {
		return v, err
	}
	if v.Rows, err = s.CampaignRows(r, list.Data); err != nil {
		return v, err
	}
	v.Pager = frame.Pager(r, list.NextCursor, "Newest first")
	if len(list.Data) == 0 && v.Status == "" && v.Search == "" {
		v.None = true
		v.First, err = s.FirstSteps(r)
		return v, err
	}
	v.EventsHref = frame.EventsHref(r.URL)
	return v, nil
}

// CampaignRows makes the rows of a list of campaigns.
func (s *Server) CampaignRows(r *http.Request, list []campaign.Campaign) ([]views.CampaignRow, error) {
	ids := page.IDs(list, func(c campaign.Campaign) uuid.UUID { return c.ProjectID })
	projects, err := s.Projects.ProjectNames(r.Context(), frame.SignedIn(r).Organization.ID, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]views.CampaignRow, len(list))
	for i, c := range list {
		rows[i] = views.CampaignRow{
			Expires: frame.OrZero(c.ExpiresAt),
			ID:      c.ID.String(), Name: c.Name, Project: projects[c.ProjectID], Status: string(c.Status),
			Note:     campaignNote(s.Clock(r), c),
			Counters: counters(c), Scheduled: c.ScheduledAt, Started: frame.OrZero(c.StartedAt),
			Ended: frame.OrZero(c.EndedAt),
		}
	}
	return rows, nil
}

// campaignNote returns one line that says why a campaign is not calling.
func campaignNote(clock ui.Clock, c campaign.Campaign) string {
	switch c.Status {
	case campaign.Drafted:
		return "Not started"
	case campaign.Paused:
		return frame.OrNone(c.PauseReason)
	case campaign.Scheduled:
		return "Starts " + clock.When(c.ScheduledAt)
	case campaign.Running:
		if up := c.Dialing + c.InProgress; up > 0 {
			return ui.Plural(up, "call") + " now"
		}
		if len(c.Waiting) > 0 {
			if at := nextCall(c.Waiting); !at.IsZero() {
				return "Next call at " + clock.When(at)
			}
			return ui.Capital(waitText(clock, c.Waiting[0]))
		}
	}
	return ""
}
