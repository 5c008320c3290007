package overview

import (
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// Numbers of rows on the page.
const (
	analyzedNumbers   = 20
	analyzedAgents    = 20
	analyzedCampaigns = 8
)

// Analysis shows when, from which number, by which agent and at which attempt people answer, and what that costs.
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
	if days := p.preset(now); days != "" && p.choice == "" {
		// The form sends the days of a usual period, too. In the address, the period stays one that ends today.
		return frame.SeeOther(w, r, frame.WithParams(r.URL, "days", days, "from", "", "to", ""))
	}
	v.Period = views.OverviewPeriod{
		Days: p.choice, From: p.from.Format(dateLayout), To: p.to.AddDate(0, 0, -1).Format(dateLayout),
		Line: p.line(now),
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
	numbers, err := s.Calls.NumberFigures(ctx, organization, scope.Scope, p.from, p.to, analyzedNumbers)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		link := scope.Scope
		link.PhoneNumberID = &n.ID
		v.Numbers = append(v.Numbers, views.NumberRow{
			Number: n.Name, Placed: n.Placed, Reached: n.Reached, Answered: n.Answered, Short: n.ShortCalls,
			Sandbox: n.Sandbox,
			Href:    callsIn(link, p.calls()),
		})
	}
	all, err := s.Calls.Compare(ctx, organization, scope.Scope, p.from, p.to, analyzedCampaigns+1, analyzedAgents)
	if err != nil {
		return err
	}
	for _, a := range all.Attempts {
		v.Attempts = append(v.Attempts, views.AttemptRow{Attempt: a.Attempt, Placed: a.Placed, Reached: a.Reached})
	}
	v.More = len(all.Campaigns) > analyzedCampaigns
	v.Campaigns = comparedRows(all.Campaigns[:min(len(all.Campaigns), analyzedCampaigns)], func(id uuid.UUID) string {
		link := scope.Scope
		link.ProjectID, link.CampaignID = nil, &id // a campaign has one project
		return p.answersIn(link)
	})
	v.Agents = comparedRows(all.Agents, func(id uuid.UUID) string {
		link := scope.Scope
		link.AgentID = &id
		return p.answersIn(link)
	})
	return frame.Render(w, r, http.StatusOK, views.AnalysisPage(s.Chrome(r), v))
}

// calls links to the calls of the period.
func (p period) calls() string { return callsOf(p.from, p.to.AddDate(0, 0, -1)) }

// answersIn links to the answers of a scope in the period, or to its calls if the scope has a number, by which answers
// are not summed. It returns no link for a project, by which the pages of answers and calls have no filter.
func (p period) answersIn(scope call.Scope) string {
	if scope.ProjectID != nil || scope.PhoneNumberID != nil {
		return callsIn(scope, p.calls())
	}
	q := url.Values{"from": {p.from.Format(dateLayout)}, "to": {p.to.AddDate(0, 0, -1).Format(dateLayout)}}
	if scope.CampaignID != nil {
		q.Set("campaign_id", scope.CampaignID.String())
	}
	if scope.AgentID != nil {
		q.Set("agent_id", scope.AgentID.String())
	}
	return "/analysis/answers?" + q.Encode()
}

// comparedRows are figures beside each other, with amounts of the same decimals.
func comparedRows(all []call.GroupFigures, href func(id uuid.UUID) string) []views.ComparedRow {
	rows := make([]views.ComparedRow, len(all))
	var currencies, costs, completed, questionnaires []string
	for i, g := range all {
		rows[i] = views.ComparedRow{
			Name: g.Name, Href: href(g.ID), Placed: g.Placed, Reached: g.Reached, Asked: g.Asked,
			Completed: g.Completed, TalkSeconds: int(g.TalkTime.Seconds()),
		}
		var total call.DayCost
		if len(g.Costs) == 1 { // in several currencies, a cost per person says nothing
			total = g.Costs[0]
			rows[i].CostCalls = total.Calls
		}
		currencies = append(currencies, total.Currency)
		costs = append(costs, total.Amount)
		completed = append(completed, money.Each(total.Amount, total.Completed))
		questionnaires = append(questionnaires, total.PerQuestionnaire(g.Placed, g.Reached, g.Completed))
	}
	costs, completed = money.Column(costs, currencies), money.Column(completed, currencies)
	questionnaires = money.Column(questionnaires, currencies)
	for i := range rows {
		rows[i].Cost, rows[i].PerCompleted, rows[i].PerQuestionnaire = costs[i], completed[i], questionnaires[i]
	}
	return rows
}
