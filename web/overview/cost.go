package overview

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/export"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/web/frame"
)

// ExportCosts exports what calls cost in all months, in the scope of the overview that links to it.
func (s *Server) ExportCosts(w http.ResponseWriter, r *http.Request) error {
	scope, err := s.overviewScope(r, &views.Overview{})
	if err != nil {
		return err
	}
	rows := s.Calls.ExportCosts(r.Context(), frame.SignedIn(r).Organization.ID, call.CostFilter{
		ProjectID: scope.ProjectID, CampaignID: scope.CampaignID, AgentID: scope.AgentID,
		PhoneNumberID: scope.PhoneNumberID,
	})
	return s.SendCSV(w, r, "costs", call.CostExportHeader, export.File{
		Rows: s.Noted(r, "costs.exported", account.Object{Type: "call"}, rows),
	})
}

// overviewCosts is the maximum number of rows of costs.
const overviewCosts = 12

// addCosts adds what calls cost in the months of the requested period, by project. A malformed period has no costs.
func (s *Server) addCosts(r *http.Request, scope call.Scope, v *views.Overview) error {
	clock := s.Clock(r)
	p := readPeriod(r.URL.Query(), clock.Now.In(clock.Zone))
	if len(p.errors) > 0 {
		return nil
	}
	last := p.to.AddDate(0, 0, -1)
	totals, err := s.Calls.Costs(r.Context(), frame.SignedIn(r).Organization.ID, call.CostFilter{
		From: p.from, To: last, ProjectID: scope.ProjectID, CampaignID: scope.CampaignID, AgentID: scope.AgentID,
		PhoneNumberID: scope.PhoneNumberID,
		GroupBy:       []call.CostGroup{call.ByMonth, call.ByProject},
	})
	if err != nil {
		return err
	}
	v.CostMonths, v.CostsMore = wholeMonths(p.from, last), len(totals) > overviewCosts
	talked, err := s.Calls.TalkTimes(r.Context(), frame.SignedIn(r).Organization.ID, scope,
		p.from.AddDate(0, 0, 1-p.from.Day()), last.AddDate(0, 1, 1-last.Day()))
	if err != nil {
		return err
	}
	v.Costs, err = s.costRows(r, totals[:min(len(totals), overviewCosts)], talked)
	return err
}

// wholeMonths names the months of a period: "October to November 2026, whole months".
func wholeMonths(first, last time.Time) string {
	const month = "January 2006"
	switch from, to := first.Format(month), last.Format(month); {
	case from == to:
		return to + ", whole month"
	case first.Year() == last.Year():
		return first.Format("January") + " to " + to + ", whole months"
	default:
		return from + " to " + to + ", whole months"
	}
}

// costRows shows sums of costs, and the talk time, by month and project.
func (s *Server) costRows(
	r *http.Request, totals []call.CostTotal, talked map[call.ProjectMonth]time.Duration,
) ([]views.CostRow, error) {
	ids, amounts := make([]uuid.UUID, len(totals)), []string{}
	for i, t := range totals {
		ids[i] = *t.ProjectID
		amounts = append(amounts, t.Amount, t.ModelAmount)
	}
	names, err := s.Projects.ProjectNames(r.Context(), frame.SignedIn(r).Organization.ID, ids)
	if err != nil {
		return nil, err
	}
	rows, decimals := make([]views.CostRow, len(totals)), money.Decimals(amounts...)
	for i, t := range totals {
		rows[i] = views.CostRow{
			Month:   t.Month.Format("January 2006"),
			Project: names[*t.ProjectID],
			Amount:  money.Format(t.Amount, t.Currency, decimals),
			TalkSeconds: int(talked[call.ProjectMonth{
				ProjectID: *t.ProjectID, Month: t.Month.Format(call.MonthLayout),
			}].Seconds()),
		}
		if t.ModelAmount != "0" {
			rows[i].Models = money.Format(t.ModelAmount, t.Currency, decimals)
		}
	}
	return rows, nil
}
