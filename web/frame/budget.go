package frame

import (
	"net/url"
	"strings"

	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/english"
	"github.com/dialwright/dialwright/internal/money"
	"github.com/dialwright/dialwright/views"
	"github.com/dialwright/dialwright/views/ui"
)

// ReadBudget reads the fields of a budget as they were typed.
func ReadBudget(form url.Values) views.BudgetForm {
	return views.BudgetForm{Amount: form.Get("budget.amount"), Currency: form.Get("budget.currency")}
}

// Budget returns the budget that was typed. It is nil if both fields are empty.
func Budget(v views.BudgetForm) *campaign.Budget {
	b := campaign.Budget{
		Amount: strings.TrimSpace(v.Amount), Currency: strings.ToUpper(strings.TrimSpace(v.Currency)),
	}
	if b == (campaign.Budget{}) {
		return nil
	}
	return &b
}

// BudgetForm returns the fields of a budget, which may be nil.
func BudgetForm(b *campaign.Budget) views.BudgetForm {
	if b == nil {
		return views.BudgetForm{}
	}
	return views.BudgetForm{Amount: b.Amount, Currency: b.Currency}
}

// Spent says how much of a budget is used. beside are other amounts of the same list.
func Spent(s campaign.Spending, beside ...string) string {
	decimals := max(money.Decimals(beside...), money.Decimals(s.Known, s.Budget.Amount, s.Estimate))
	text := money.Format(s.Known, s.Budget.Currency, decimals) + " of " +
		money.Format(s.Budget.Amount, s.Budget.Currency, decimals)
	if s.Month != nil {
		text += " in " + s.Month.Format("January 2006")
	}
	if s.Pending > 0 {
		text += ". About " + money.Format(s.Estimate, s.Budget.Currency, decimals) + " with " +
			ui.Plural(s.Pending, "call") + " whose price is not known"
	}
	switch {
	case len(s.Billed) > 0:
		text += ". Your calls were billed in " + english.List(s.Billed) + ", so this budget counts none of them"
	case s.Others:
		text += ". Calls in other currencies do not count"
	}
	return text
}
