package web

import (
	"net/http"
	"strings"
	"testing"
)

// Known costs are on the pages of the call and its campaign and on the overview, a line for each currency.
func TestCostsOnPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	v := n.as(n.staff)
	campaign, call := n.newCampaign(), n.newCall()
	for _, path := range []string{"/", "/campaigns/" + campaign.String(), "/calls/" + call.String()} {
		v.get(path).want(http.StatusOK).lacks("USD")
	}
	w.exec(`update call set cost = 0.0915, cost_currency = 'USD',
		cost_parts = '[{"kind": "call", "amount": "0.014", "source": "carrier"},
		               {"kind": "model", "amount": "0.0005", "source": "estimate"},
		               {"kind": "relay", "amount": "0.0770", "source": "rate"}]' where id = $1`, call)
	w.exec(`insert into cost_total (organization_id, project_id, campaign_id, month, currency, amount, model, calls,
			completed)
		select organization_id, project_id, id, date_trunc('month', clock())::date, currency, amount, model, calls, done
		from campaign, (values ('USD', 1183.0275, 21.5, 20, 10), ('EUR', 0.5, 0, 1, 0))
			t (currency, amount, model, calls, done)
		where id = $1`, campaign)
	v.get("/calls/"+call.String()).want(http.StatusOK).has("0.0915 USD",
		"Call: 0.0140 USD", "Line to the agent: 0.0770 USD, by rate", "Language model: 0.0005 USD, estimated")
	v.get("/campaigns/"+campaign.String()).want(http.StatusOK).
		has("1,183.0275 USD", "0.5000 EUR", "Of this, language models", "21.5000 USD", "118.3028 USD", "21 calls")
	v.get("/").want(http.StatusOK).has("Costs of calls", "whole month", "1,183.0275 USD",
		"Models: 21.5000 USD", "0.5000 EUR")
	w.exec(`insert into cost_total (organization_id, project_id, campaign_id, month, currency, amount, calls, completed)
		select organization_id, project_id, id, '2026-03-01'::date, 'USD', 77.25, 2, 1 from campaign where id = $1`,
		campaign)
	v.get("/?from=2026-03-02&to=2026-03-08").want(http.StatusOK).
		has("March 2026, whole month", "77.25 USD", "Export all months").lacks("1,183.03", "1,183.0275 USD")
	v.get("/?from=2026-02-27&to=2026-03-08").has("February to March 2026, whole months", "77.25 USD")
	v.get("/?from=2025-12-31&to=2026-01-01").want(http.StatusOK).lacks("USD")
	v.get("/?from=2026-03-08&to=2026-03-02").lacks("USD")
	v.get("/").lacks("77.25")
	w.exec(`delete from cost_total where amount = 77.25`)
	link := "/costs/export?campaign_id=" + campaign.String()
	v.get("/?campaign_id="+campaign.String()).has(`href="`+link+`"`, "Export all months")
	month := value[string](w, `select to_char(clock(), 'YYYY-MM')`)
	for _, path := range []string{"/costs/export", link} {
		got := v.get(path).want(http.StatusOK).
			has(month+",", ",USD,1183.0275,20,10,118.30275,21.5\r\n", ",EUR,0.5,1,0,,0\r\n", campaign.String())
		if n := strings.Count(got.body, "\r\n"); n != 3 {
			t.Errorf("%s: %d lines: %s", path, n, got.body)
		}
	}
	v.get("/costs/export?project_id=" + newID().String()).want(http.StatusNotFound)
	other := w.newTenant("Other")
	other.as(other.staff).get("/costs/export").want(http.StatusOK).lacks("USD")
	other.as(other.staff).get(link).want(http.StatusNotFound)
	other.as(other.staff).get("/").want(http.StatusOK).lacks("USD")
}

// An admin enters the rates of a connection.
func TestRatesOfAConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	v := n.as(n.admin)
	var id string
	if err := w.Pool.QueryRow(t.Context(), `select id from connection where organization_id = $1`,
		n.organization).Scan(&id); err != nil {
		t.Fatal(err)
	}
	path := "/settings/integrations/" + id
	v.get(path).want(http.StatusOK).has("Rates")
	good := form("name", "Carrier", "detection_rate", "0.00750", "relay_rate", " 0.07 ")
	v.post(path, changed(good, "detection_rate", "0,0075")).
		wrong("detection_rate", "Must be a number with at most 6 decimals, such as 0.0075")
	v.post(path, changed(good, "relay_rate", "-1")).wrong("relay_rate", "Must be a number")
	v.post(path, good).want(http.StatusSeeOther)
	v.get(path).want(http.StatusOK).has(`value="0.0075"`, `value="0.07"`)
	v.post(path, form("name", "Carrier")).want(http.StatusSeeOther)
	v.get(path).want(http.StatusOK).lacks(`value="0.0075"`, `value="0.07"`)
}
