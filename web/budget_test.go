package web

import (
	"net/http"
	"testing"
)

// The budgets of a campaign and of a month are typed, refused, shown and removed.
func TestBudgets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	v := n.as(n.admin)
	page := "/campaigns/" + n.newCampaign().String()
	v.get(page).want(http.StatusOK).has("Change budget")
	for _, path := range []string{page + "/budget", "/settings/organization/budget"} {
		v.post(path, form("budget.amount", "0", "budget.currency", "USD")).wrong("budget.amount", "Must be more than 0")
		v.post(path, form("budget.amount", "5", "budget.currency", "ABC")).wrong("budget.currency", "currency code")
		v.post(path, form("budget.amount", "1500", "budget.currency", "usd")).want(http.StatusSeeOther)
	}
	v.get(page).has("0.00 USD of 1,500.00 USD")
	v.get("/settings/organization").has(`value="1500"`, "0.00 USD of 1,500.00 USD in ")
	v.get("/campaigns/new?from="+page[len("/campaigns/"):]).has(`name="budget.amount"`, `value="1500"`)
	w.exec(`update campaign set status = 'paused', started_at = created_at,
		pause_reason = 'The campaign has reached its budget of 1500 USD. Calls cost 1500 USD'`)
	v.get(page).has("Raise the budget, then resume the campaign.", page+"/budget")
	w.exec(`insert into cost_total (organization_id, project_id, campaign_id, month, currency, amount, calls, completed)
		select organization_id, project_id, id, current_date, 'USD', 1500, 1, 0 from campaign`)
	v.header.Set("Referer", w.server.URL+page)
	v.post(page+"/resume", form()).want(http.StatusConflict).has("reached its budget", `href="`+page+`"`, "Go back")
	v.header.Del("Referer")
	w.exec(`delete from cost_total`)
	w.exec(`update campaign set pause_reason = 'The organization has reached its monthly budget of 5 USD'`)
	v.get(page).has("or resume it next month.", "/settings/organization#s-budget")
	n.as(n.staff).get("/settings/organization").has("Monthly budget", "1,500.00 USD")
	for _, path := range []string{page + "/budget", "/settings/organization/budget"} {
		v.post(path, form()).want(http.StatusSeeOther)
	}
	v.get(page).lacks("of 1,500.00 USD")
}
