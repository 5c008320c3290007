package calls

import (
	"context"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// costParts are the words for the parts of a call's cost.
var costParts = map[string]string{
	"call": "call", "transfer": "transfer", "recording": "recording", "detection": "voicemail detection",
	"relay": "line to the agent", "model": "language model",
}

// costDecimals is how many decimals of a cost a page shows at most.
const costDecimals = 4

// costLines shows the known cost of a call and, if there are several, its parts.
func costLines(c call.Call) []string {
	amounts := []string{*c.CostAmount}
	for _, p := range c.CostParts {
		amounts = append(amounts, p.Amount)
	}
	decimals := max(money.Decimals(amounts...), min(money.ExactDecimals(amounts...), costDecimals)) // the parts add up
	lines := []string{money.Format(*c.CostAmount, *c.CostCurrency, decimals)}
	if len(c.CostParts) < 2 {
		return lines
	}
	for _, p := range c.CostParts {
		line := ui.Capital(costParts[p.Kind]) + ": " + money.Format(p.Amount, *c.CostCurrency, decimals)
		switch p.Source {
		case "rate":
			line += ", by rate"
		case "estimate":
			line += ", estimated"
		}
		lines = append(lines, line)
	}
	return lines
}

// campaignCosts shows what the calls of a campaign cost, with one line per currency, and how much of its
// budget is used. The costs are empty until one is known.
func (s *Server) campaignCosts(
	ctx context.Context, c campaign.Campaign,
) (costs []ui.Fact, budget views.CampaignBudget, err error) {
	budget.CanChange = c.EndedAt == nil
	totals, err := s.Calls.Costs(ctx, c.OrganizationID, call.CostFilter{CampaignID: &c.ID})
	if err != nil {
		return nil, budget, err
	}
	spent, err := s.Campaigns.Spending(ctx, c.OrganizationID, c.ID)
	if err != nil {
		return nil, budget, err
	}
	var all, amounts, models, completed []string
	for _, t := range totals {
		all = append(all, t.Amount, t.ModelAmount, frame.OrNone(t.PerCompletedCall))
	}
	if spent != nil {
		budget.Spent = frame.Spent(*spent, all...)
		all = append(all, spent.Known, spent.Budget.Amount, spent.Estimate)
	}
	known, decimals := 0, money.Decimals(all...)
	if spent != nil {
		budget.Amount = money.Format(spent.Budget.Amount, spent.Budget.Currency, decimals)
	}
	if len(totals) == 0 {
		return nil, budget, nil
	}
	for _, t := range totals {
		amounts = append(amounts, money.Format(t.Amount, t.Currency, decimals))
		if t.ModelAmount != "0" {
			models = append(models, money.Format(t.ModelAmount, t.Currency, decimals))
		}
		if t.PerCompletedCall != nil {
			completed = append(completed, money.Format(*t.PerCompletedCall, t.Currency, decimals))
		}
		known += t.Calls
	}
	if completed == nil {
		completed = []string{ui.None}
	}
	costs = []ui.Fact{{Name: "Total", Value: ui.Lines(amounts)}}
	if models != nil {
		costs = append(costs, ui.Fact{Name: "Of this, language models", Value: ui.Lines(models)})
	}
	return append(costs,
		ui.Fact{Name: "Per completed call", Value: ui.Lines(completed)},
		ui.Fact{Name: "Cost known for", Text: ui.Plural(known, "call")},
	), budget, nil
}
