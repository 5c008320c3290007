package api

import (
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"
)

// Costs are summed by month, project or campaign, and by currency, within one organization.
func TestCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	campaign := n.newCampaign()
	w.exec(`
		insert into cost_total (organization_id, project_id, campaign_id, month, currency, amount, model, calls,
			completed)
		select $1, $2, campaign, month, currency, amount, amount / 2, calls, done
		from (values
			($3::uuid, date '2026-10-01', 'USD', 1.5, 3, 2),
			($3, '2026-11-01', 'USD', 0.0915, 1, 0),
			(null, '2026-11-01', 'USD', 0.0085, 2, 1),
			(null, '2026-11-01', 'EUR', 0.02, 1, 1),
			(null, '2026-11-01', 'GBP', 0, 0, 0)
		) t (campaign, month, currency, amount, calls, done)`, n.organization, n.project, campaign)
	for query, want := range map[string]string{
		"": "2026-11 <nil> <nil> 0.1 USD 3 1 0.1, 2026-11 <nil> <nil> 0.02 EUR 1 1 0.02, " +
			"2026-10 <nil> <nil> 1.5 USD 3 2 0.75",
		"?from=2026-11&group_by=project": "<nil> P <nil> 0.1 USD 3 1 0.1, <nil> P <nil> 0.02 EUR 1 1 0.02",
		"?to=2026-10&group_by=campaign":  "<nil> <nil> C 1.5 USD 3 2 0.75",
		"?from=2026-11&group_by=campaign": "<nil> <nil> C 0.0915 USD 1 0 <nil>, <nil> <nil> <nil> 0.02 EUR 1 1 0.02, " +
			"<nil> <nil> <nil> 0.0085 USD 2 1 0.0085",
		"?from=2026-12": "",
	} {
		var lines []string
		for _, row := range n.do("GET", "/costs"+query, nil).want(http.StatusOK).data() {
			r := row.(map[string]any)
			lines = append(lines, fmt.Sprintf("%v %v %v %v %v %v %v %v", r["month"], r["project_id"], r["campaign_id"],
				r["amount"], r["currency"], r["calls"], r["completed_calls"], r["per_completed_call"]))
			amount, _ := new(big.Rat).SetString(r["amount"].(string))
			models, _ := new(big.Rat).SetString(r["model_amount"].(string))
			if models.Add(models, models).Cmp(amount) != 0 {
				t.Errorf("GET /costs%s: models cost %v of %v", query, r["model_amount"], r["amount"])
			}
		}
		got := strings.NewReplacer(n.project.String(), "P", campaign, "C").Replace(strings.Join(lines, ", "))
		if got != want {
			t.Errorf("GET /costs%s: %s, want %s", query, got, want)
		}
	}
	if sums := other.do("GET", "/costs", nil).want(http.StatusOK).data(); len(sums) > 0 {
		t.Errorf("another organization sees %v", sums)
	}
	for query, want := range map[string]string{
		"": "2026-11 P Reminders C 0.0915 USD 1 0 , 2026-11 P Reminders  0.02 EUR 1 1 0.02, " +
			"2026-11 P Reminders  0.0085 USD 2 1 0.0085, 2026-10 P Reminders C 1.5 USD 3 2 0.75",
		"?to=2026-10":   "2026-10 P Reminders C 1.5 USD 3 2 0.75",
		"?from=2026-12": "",
	} {
		var lines []string
		for _, r := range n.do("GET", "/costs/export"+query, nil).want(http.StatusOK).table() {
			if (r["campaign_id"] == "") != (r["campaign_name"] == "") {
				t.Errorf("campaign %q has the name %q", r["campaign_id"], r["campaign_name"])
			}
			lines = append(lines, strings.Join([]string{
				r["month"], r["project_id"], r["project_name"], r["campaign_id"], r["amount"], r["currency"],
				r["calls"], r["completed_calls"], r["per_completed_call"],
			}, " "))
		}
		got := strings.NewReplacer(n.project.String(), "P", campaign, "C").Replace(strings.Join(lines, ", "))
		if got != want {
			t.Errorf("GET /costs/export%s: %s, want %s", query, got, want)
		}
	}
	if rows := other.do("GET", "/costs/export", nil).want(http.StatusOK).table(); len(rows) > 0 {
		t.Errorf("another organization exports %v", rows)
	}
	n.do("GET", "/costs/export?from=2026-13", nil).refused(http.StatusBadRequest,
		"from: must be a month, such as 2026-11")
	n.do("GET", "/costs/export?from=2026-11&to=2026-10", nil).refused(http.StatusBadRequest,
		"to: must not be before from")
	n.do("GET", "/costs?from=2026-13&to=november&group_by=agent", nil).refused(http.StatusBadRequest,
		`from: must be a month, such as 2026-11; to: must be a month, such as 2026-11; `+
			`group_by: must be one of month, project, campaign, not "agent"`)
	n.do("GET", "/costs?from=2026-11&to=2026-10", nil).refused(http.StatusBadRequest, "to: must not be before from")
	n.do("GET", "/costs?from=2026-11&to=2026-11", nil).want(http.StatusOK)
}
