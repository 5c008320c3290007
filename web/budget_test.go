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
	v.post(page+"/resume", form()).want(http.StatusUnprocessableEntity).
		has("reached its budget", page+"/budget", `role="alert"`).lacks("Go back")
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

// An admin sets the daily limits of language models, and removes them.
func TestDailyLimitsOfModels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	v := n.as(n.admin)
	const path, page = "/settings/organization/models", "/settings/organization"
	v.post(path, form("model_day.tokens", "many")).wrong("model_day.tokens", "")
	v.post(path, form("model_day.tokens", "0")).wrong("model_day.tokens", "Must be between 1 and")
	v.post(path, form("model_day.amount", "5")).wrong("model_day.currency", "equired")
	v.post(path, form("model_day.tokens", "50000", "model_day.amount", "5.5", "model_day.currency", "usd")).
		want(http.StatusSeeOther)
	w.exec(`insert into model_day (organization_id, day, currency, tokens, amount)
		select id, (clock() at time zone time_zone)::date, currency, tokens, amount
		from organization, (values (null, 1200, 0), ('USD', 0, 1.25)) d (currency, tokens, amount)
		where id = $1`, n.organization)
	v.get(page).has(`value="50000"`, `value="5.5"`, "Used today: 1,200 tokens, 1.25 USD")
	n.as(n.staff).get(page).has("Language models per day", "50000 tokens", "5.5 USD", "1,200 tokens")
	n.as(n.staff).post(path, form()).want(http.StatusForbidden)
	v.post(path, form()).want(http.StatusSeeOther)
	n.as(n.staff).get(page).lacks("50000 tokens")
}
