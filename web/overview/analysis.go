package overview

import (
	"net/http"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// Numbers of rows on the page.
const (
	analyzedNumbers   = 20
	analyzedCampaigns = 8
)

// Analysis shows when, from which number and at which attempt people answer, and what that costs.
func (s *Server) Analysis(w http.ResponseWriter, r *http.Request) error {
	ctx, organization, clock := r.Context(), frame.SignedIn(r).Organization.ID, s.Clock(r)
	narrowed := views.Overview{}
	scope, err := s.overviewScope(r, &narrowed)
	if err != nil {
		return err
	}
	if err := s.overviewChoices(r, &narrowed.Scope); err != nil {
		return err
	}
	now := clock.Now.In(clock.Zone)
	q := r.URL.Query()
	if q.Get("days") == "" {
		q.Set("days", "30")
	}
	p := readPeriod(q, now)
	v := views.Analysis{Scope: narrowed.Scope, Period: views.OverviewPeriod{
		From: q.Get("from"), To: q.Get("to"), Errors: p.errors,
	}}
	if len(p.errors) > 0 {
		return frame.Render(w, r, http.StatusUnprocessableEntity, views.AnalysisPage(s.Chrome(r), v))
	}
	v.Period = views.OverviewPeriod{Days: p.choice, Line: p.line(now)}
	if p.choice == "" {
		v.Period.From, v.Period.To = q.Get("from"), q.Get("to")
	}
	week, err := s.Calls.Week(ctx, organization, scope.Scope, p.from, p.to)
	if err != nil {
		return err
	}
	for i, day := range week {
		d := views.AnswerDay{Name: ui.Weekdays[i].Long}
		for hour, reach := range day {
			d.Hours[hour].Placed, d.Hours[hour].Reached = reach.Placed, reach.Reached
		}
		v.Weeks = append(v.Weeks, d)
	}
	numbers, err := s.Calls.NumbersReach(ctx, organization, scope.Scope, p.from, p.to, analyzedNumbers)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		link := scope.Scope
		link.PhoneNumberID = &n.PhoneNumberID
		v.Numbers = append(v.Numbers, views.NumberRow{
			Number: n.PhoneNumber, Placed: n.Placed, Reached: n.Reached,
			Href: callsIn(link, callsOf(p.from, p.to.AddDate(0, 0, -1))),
		})
	}
	if v.Rows, v.Attempts, err = s.compared(r, scope); err != nil {
		return err
	}
	return frame.Render(w, r, http.StatusOK, views.AnalysisPage(s.Chrome(r), v))
}

// compared returns the latest campaigns of the scope that called somebody, and which attempts reached people in them.
func (s *Server) compared(r *http.Request, scope overviewScope) (
	rows []views.ComparedRow, attempts []views.AttemptRow, err error,
) {
	ctx, organization := r.Context(), frame.SignedIn(r).Organization.ID
	shown := []campaign.Campaign{scope.campaign}
	if scope.CampaignID == nil {
		list, err := s.Campaigns.List(ctx, organization, campaign.ListOptions{
			ProjectID: scope.ProjectID, AgentID: scope.AgentID, Page: page.Request{Limit: 4 * analyzedCampaigns},
		})
		if err != nil {
			return nil, nil, err
		}
		shown = list.Data
	}
	var currencies, costs, reached, completed []string // of the rows
	for _, c := range shown {
		if c.CallsPlaced == 0 || len(rows) == analyzedCampaigns {
			continue
		}
		results, err := s.Calls.Sums(ctx, organization, call.ResultFilter{CampaignID: &c.ID})
		if err != nil {
			return nil, nil, err
		}
		totals, err := s.Calls.Costs(ctx, organization, call.CostFilter{CampaignID: &c.ID})
		if err != nil {
			return nil, nil, err
		}
		row := views.ComparedRow{
			ID: c.ID.String(), Name: c.Name, Placed: results.Placed(), Reached: results.Reached(), Asked: results.Asked,
			Completed: results.Completed,
		}
		var total call.CostTotal
		if len(totals) == 1 { // in several currencies, a cost per person says nothing
			total = totals[0]
		}
		currencies = append(currencies, total.Currency)
		costs = append(costs, total.Amount)
		reached = append(reached, money.Each(total.Amount, row.Reached))
		completed = append(completed, money.Each(total.Amount, row.Completed))
		for _, a := range results.Attempts {
			for len(attempts) < a.Attempt {
				attempts = append(attempts, views.AttemptRow{Attempt: len(attempts) + 1})
			}
			if a.Attempt < 1 {
				continue
			}
			attempts[a.Attempt-1].Placed += a.Placed
			attempts[a.Attempt-1].Reached += a.Reached
		}
		rows = append(rows, row)
	}
	costs, reached = money.Column(costs, currencies), money.Column(reached, currencies)
	completed = money.Column(completed, currencies)
	for i := range rows {
		rows[i].Cost, rows[i].PerReached, rows[i].PerQuestionnaire = costs[i], reached[i], completed[i]
	}
	return rows, attempts, nil
}
