package overview

import (
	"net/http"

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

// costs returns what calls cost in this month and the last, by project.
func (s *Server) costs(r *http.Request, scope call.Scope) ([]views.CostRow, error) {
	ctx, organization, clock := r.Context(), frame.SignedIn(r).Organization.ID, s.Clock(r)
	now := clock.Now.In(clock.Zone)
	from := now.AddDate(0, 0, 1-now.Day()).AddDate(0, -1, 0)
	totals, err := s.Calls.Costs(ctx, organization, call.CostFilter{
		From: from, ProjectID: scope.ProjectID,
		CampaignID: scope.CampaignID, AgentID: scope.AgentID, PhoneNumberID: scope.PhoneNumberID,
		GroupBy: []call.CostGroup{call.ByMonth, call.ByProject},
	})
	if err != nil {
		return nil, err
	}
	totals = totals[:min(len(totals), overviewCosts)]
	ids, amounts := make([]uuid.UUID, len(totals)), []string{}
	for i, t := range totals {
		ids[i] = *t.ProjectID
		amounts = append(amounts, t.Amount, t.ModelAmount)
	}
	names, err := s.Projects.ProjectNames(ctx, organization, ids)
	if err != nil {
		return nil, err
	}
	talked, err := s.Calls.TalkTimes(ctx, organization, scope, from, now.AddDate(0, 0, 1))
	if err != nil {
		return nil, err
	}
	rows, decimals := make([]views.CostRow, len(totals)), money.Decimals(amounts...)
	for i, t := range totals {
		rows[i] = views.CostRow{
			Month:   t.Month.Format("January"),
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
