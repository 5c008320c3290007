package calls

import (
	"context"

	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/views/ui"
	"github.com/dialwright/dialwright/web/frame"
)

// costParts are the words for the parts of a call's cost.
var costParts = map[string]string{
	"call": "call", "recording": "recording", "detection": "voicemail detection", "relay": "line to the agent",
}

// costLines shows the known cost of a call and, if there are several, its parts.
func costLines(c call.Call) []string {
	amounts := []string{*c.CostAmount}
	for _, p := range c.CostParts {
		amounts = append(amounts, p.Amount)
	}
	decimals := ui.ExactDecimals(amounts...) // the parts add up to the cost
	lines := []string{ui.Money(*c.CostAmount, *c.CostCurrency, decimals)}
	if len(c.CostParts) < 2 {
		return lines
	}
	for _, p := range c.CostParts {
		line := ui.Capital(costParts[p.Kind]) + ": " + ui.Money(p.Amount, *c.CostCurrency, decimals)
		if p.Source == "rate" {
			line += ", by rate"
		}
		lines = append(lines, line)
	}
	return lines
}

// campaignCosts shows what the calls of a campaign cost, with one line per currency. It is empty
// until a cost is known.
func (s *Server) campaignCosts(ctx context.Context, c campaign.Campaign) ([]ui.Fact, error) {
	totals, err := s.Calls.Costs(ctx, c.OrganizationID, call.CostFilter{CampaignID: &c.ID})
	if err != nil || len(totals) == 0 {
		return nil, err
	}
	var all, amounts, completed []string
	for _, t := range totals {
		all = append(all, t.Amount, frame.OrNone(t.PerCompletedCall))
	}
	known, decimals := 0, ui.Decimals(all...)
	for _, t := range totals {
		amounts = append(amounts, ui.Money(t.Amount, t.Currency, decimals))
		if t.PerCompletedCall != nil {
			completed = append(completed, ui.Money(*t.PerCompletedCall, t.Currency, decimals))
		}
		known += t.Calls
	}
	if completed == nil {
		completed = []string{ui.None}
	}
	return []ui.Fact{
		{Name: "Total", Value: ui.Lines(amounts)},
		{Name: "Per completed call", Value: ui.Lines(completed)},
		{Name: "Cost known for", Text: ui.Plural(known, "call")},
	}, nil
}
