package overview

import (
	"net/http"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/internal/peer"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// Numbers of rows on the overview, enough to show the current activity.
const (
	overviewAlerts    = 8
	overviewCampaigns = 10
	overviewCalls     = 12
)

func (s *Server) Overview(w http.ResponseWriter, r *http.Request) error {
	v, err := s.overviewView(r)
	if err != nil {
		return err
	}
	if err := s.overviewChoices(r, &v.Scope); err != nil {
		return err
	}
	c := s.Chrome(r)
	c.Proxy = s.unlistedProxy(r)
	return frame.Render(w, r, http.StatusOK, views.OverviewPage(c, v))
}

// unlistedProxy returns the untrusted proxy that forwarded this request, for an admin to
// configure. It ignores the requests of other people, because any client can pretend to
// be a proxy.
func (s *Server) unlistedProxy(r *http.Request) string {
	if !frame.May(r, account.ManageOrganization) {
		return ""
	}
	if proxy, unlisted := peer.Unlisted(r, s.TrustedProxies); unlisted {
		return proxy.String()
	}
	return ""
}

func (s *Server) overviewView(r *http.Request) (views.Overview, error) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	v := views.Overview{EventsHref: "/events", AsTable: r.URL.Query().Get("as") == "table"}
	scope, err := s.overviewScope(r, &v)
	if err != nil {
		return v, err
	}
	if r.URL.RawQuery != "" {
		v.EventsHref += "?" + r.URL.RawQuery
	}
	if err := s.overviewFigures(r, scope.Scope, &v); err != nil {
		return v, err
	}
	shown, err := s.campaignsNow(r, scope)
	if err != nil {
		return v, err
	}
	if v.Campaigns, err = s.calls.CampaignRows(r, shown); err != nil {
		return v, err
	}
	for i, c := range shown {
		if v.Campaigns[i].Left, _, err = s.calls.TimeLeft(ctx, c); err != nil {
			return v, err
		}
	}
	if v.Attention, v.AlertsMore, err = s.alerts.Now(r, overviewAlerts); err != nil {
		return v, err
	}
	if err := s.overviewMessaging(r, &v); err != nil {
		return v, err
	}
	if err := s.addCosts(r, scope.Scope, &v); err != nil {
		return v, err
	}
	calls, err := s.Calls.List(ctx, organization, call.Filter{
		Request: page.Request{Limit: overviewCalls}, ProjectID: scope.ProjectID, CampaignID: scope.CampaignID,
		AgentID: scope.AgentID, PhoneNumberID: scope.PhoneNumberID,
	})
	if err != nil {
		return v, err
	}
	if v.Calls, err = s.calls.CallRows(ctx, organization, calls.Data); err != nil {
		return v, err
	}
	if v.Sample, err = s.calls.Sample(r); err != nil {
		return v, err
	}
	if v.Sample == nil && (len(shown)+len(calls.Data) > 0 || scope.Scope != call.Scope{}) {
		return v, nil // filters can hide what there is
	}
	begun, err := s.calls.HasOwnCampaign(r, v.Sample)
	if err != nil {
		return v, err
	}
	if v.Begins = !begun; v.Begins {
		v.None = v.Sample == nil && len(shown)+len(calls.Data) == 0
		v.First, err = s.calls.FirstSteps(r)
	}
	return v, err
}

// overviewFigures reads the figures of the requested period and of the period before it.
func (s *Server) overviewFigures(r *http.Request, scope call.Scope, v *views.Overview) error {
	clock, organization := s.Clock(r), frame.SignedIn(r).Organization.ID
	now := clock.Now.In(clock.Zone)
	p := readPeriod(r.URL.Query(), now)
	if len(p.errors) > 0 {
		// Figures of other days would look like figures of the requested days.
		v.Period = views.OverviewPeriod{From: r.URL.Query().Get("from"), To: r.URL.Query().Get("to"), Errors: p.errors}
		return nil
	}
	v.Period = views.OverviewPeriod{
		Days: p.choice, From: p.from.Format(dateLayout), To: p.to.AddDate(0, 0, -1).Format(dateLayout),
		Line: p.line(now),
	}
	hours, err := s.Calls.Hours(r.Context(), organization, scope, p.from, p.to)
	if err != nil {
		return err
	}
	if scope == (call.Scope{}) { // a caller may ask for anything, so inbound calls are of no campaign
		received, err := s.Calls.Received(r.Context(), organization, p.from, p.to)
		if err != nil {
			return err
		}
		v.Received = received
	}
	from, to := p.before(now)
	earlier, err := s.Calls.Hours(r.Context(), organization, scope, from, to)
	if err != nil {
		return err
	}
	versus := "vs. " + strings.TrimSuffix(ui.Days(from, to.Add(-time.Nanosecond)), now.Format(" 2006"))
	if p.choice == "1" {
		versus = "vs. yesterday at this time"
	}
	v.Stats = p.stats(sum(hours), sum(earlier), versus)
	v.Outcomes, v.Unit = p.columns(hours, now), p.unit()
	for i, c := range v.Outcomes {
		v.Outcomes[i].Href = callsIn(scope, c.Href)
	}
	return nil
}

func sum(hours []call.Hour) (f call.Figures) {
	for _, h := range hours {
		f.Add(h.Figures)
	}
	return f
}

func (s *Server) Events(w http.ResponseWriter, r *http.Request) error {
	return s.Stream(w, r, "overview", func(r *http.Request) (templ.Component, bool, error) {
		v, err := s.overviewView(r)
		if err != nil {
			return nil, false, err
		}
		part, err := s.WithRunning(r, views.OverviewLive(s.LiveChrome(r, "/"), v))
		return part, false, err
	})
}
