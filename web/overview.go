package web

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// What the overview shows of each: enough to see what goes on.
const (
	overviewCampaigns = 10
	overviewCalls     = 12
)

func (s *server) overview(w http.ResponseWriter, r *http.Request) error {
	v, err := s.overviewView(r)
	if err != nil {
		return err
	}
	return render(w, r, http.StatusOK, views.OverviewPage(s.chrome(r), v))
}

func (s *server) overviewView(r *http.Request) (views.Overview, error) {
	ctx, organization := r.Context(), signedIn(r).Organization.ID
	v := views.Overview{EventsHref: "/events"}
	var shown []campaign.Campaign
	for _, status := range []campaign.Status{campaign.Running, campaign.Paused, campaign.Scheduled} {
		list, err := s.Campaigns.List(ctx, organization, campaign.ListOptions{Status: status, Page: page.Request{Limit: overviewCampaigns}})
		if err != nil {
			return v, err
		}
		shown = append(shown, list.Data...)
	}
	var err error
	if v.Campaigns, err = s.campaignRows(r, shown); err != nil {
		return v, err
	}
	for _, c := range shown {
		if reason := orNone(c.PauseReason); reason != "" {
			v.Attention = append(v.Attention, views.Attention{
				Glyph: ui.GlyphWarning, Label: c.Name, Href: "/campaigns/" + c.ID.String(), Text: "is paused: " + reason,
				Note: ui.Plural(c.Pending, "recipient") + " wait until it is resumed.",
			})
		}
	}
	connections, err := s.Projects.Connections(ctx, organization, page.Request{Limit: page.MaxLimit})
	if err != nil {
		return v, err
	}
	for _, c := range connections.Data {
		if c.ConsecutiveErrors > 0 {
			v.Attention = append(v.Attention, views.Attention{
				Glyph: ui.GlyphFailed, Label: c.Name, Href: integrationsPath, Text: "failed: " + orNone(c.LastError),
				Note: "Calls over it are tried again later.",
			})
		}
	}
	trouble, err := s.webhooksInTrouble(r)
	if err != nil {
		return v, err
	}
	v.Attention = append(v.Attention, trouble...)
	if trouble, err = s.messagingInTrouble(r); err != nil {
		return v, err
	}
	v.Attention = append(v.Attention, trouble...)
	calls, err := s.Calls.List(ctx, organization, call.Filter{Request: page.Request{Limit: overviewCalls}})
	if err != nil {
		return v, err
	}
	if v.Calls, err = s.callRows(ctx, organization, calls.Data); err != nil {
		return v, err
	}
	if len(shown) == 0 && len(calls.Data) == 0 {
		list, err := s.Campaigns.List(ctx, organization, campaign.ListOptions{Page: page.Request{Limit: 1}})
		if err != nil {
			return v, err
		}
		if v.None = len(list.Data) == 0; v.None {
			v.First, err = s.firstSteps(r)
		}
		return v, err
	}
	return v, nil
}
