package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/campaign"
	"github.com/dialwright/dialwright/internal/dialer"
)

// keys splits the path of a field.
func keys(path string) (all []any) {
	for name := range strings.SplitSeq(path, ".") {
		all = append(all, name)
	}
	return all
}

// Every valid key gets an answer from GET /me, whatever its scopes are.
func TestMe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	actor := account.System(n.organization)
	key, value, err := w.accounts.CreateKey(t.Context(), actor, account.NewKey{
		Name: "CRM", Scopes: []account.Scope{account.WebhooksRead},
	})
	if err != nil {
		t.Fatal(err)
	}
	a := w.do("GET", "/me", value, nil).want(http.StatusOK)
	for path, want := range map[string]any{
		"organization.id": n.organization.String(), "organization.name": "Acme", "organization.calling_stopped_at": nil,
		"key.id": key.ID.String(), "key.name": "CRM", "key.last_four": value[len(value)-4:], "key.all_scopes": false,
		"key.expires_at":             nil,
		"limits.requests_per_minute": float64(account.RateLimit), "limits.webhooks": 10.0,
		"limits.max_concurrency": nil, "limits.calls_per_second": nil, "limits.max_daily_attempts": nil,
		"limits.monthly_budget": nil, "limits.model_tokens_per_day": nil, "limits.model_budget_per_day": nil,
	} {
		if got := a.get(keys(path)...); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if scopes := a.get("key", "scopes").([]any); len(scopes) != 1 || scopes[0] != "webhooks:read" {
		t.Errorf("scopes %v", scopes)
	}

	// A key with all scopes lists them.
	if a := n.do("GET", "/me", nil).want(http.StatusOK); a.get("key", "all_scopes") != true ||
		len(a.get("key", "scopes").([]any)) != len(account.Scopes()) {
		t.Errorf("%v", a)
	}

	rate, calls, attempts, tokens := 0.5, 20, 3, 1_000_000
	if err := w.app.Calling.SetLimits(t.Context(), actor, dialer.Limits{
		MaxConcurrency: &calls, CallsPerSecond: &rate, MaxDailyAttempts: &attempts,
	}, ""); err != nil {
		t.Fatal(err)
	}
	if err := w.app.Calling.SetMonthlyBudget(t.Context(), actor, &campaign.Budget{
		Amount: "500.50", Currency: "USD",
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.app.Calling.SetModelDay(t.Context(), actor, dialer.ModelDay{
		Tokens: &tokens, Budget: &campaign.Budget{Amount: "10", Currency: "EUR"},
	}); err != nil {
		t.Fatal(err)
	}
	a = w.do("GET", "/me", value, nil).want(http.StatusOK)
	for path, want := range map[string]any{
		"limits.max_concurrency": 20.0, "limits.calls_per_second": 0.5, "limits.max_daily_attempts": 3.0,
		"limits.monthly_budget.amount": "500.5", "limits.monthly_budget.currency": "USD",
		"limits.model_tokens_per_day": 1e6, "limits.model_budget_per_day.amount": "10",
		"limits.model_budget_per_day.currency": "EUR",
	} {
		if got := a.get(keys(path)...); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	w.do("GET", "/me", "", nil).refused(http.StatusUnauthorized, "Missing Authorization header")
}

// A recipient is found in its own campaign only.
func TestOneRecipient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	id, second, foreign := n.newCampaign(), n.newCampaign(), other.newCampaign()
	list := n.do("GET", "/campaigns/"+id+"/recipients", nil).data()
	for i, recipient := range n.recipientsOf(id) {
		a := n.do("GET", "/campaigns/"+id+"/recipients/"+recipient, nil).want(http.StatusOK)
		if got, want := jsonText(t, list[i]), jsonText(t, a.get()); got != want {
			t.Errorf("the list has %s, the recipient is %s", got, want)
		}
	}
	for _, wrong := range []string{
		n.recipientsOf(second)[0], other.recipientsOf(foreign)[0], newID().String(), "x", id,
	} {
		n.do("GET", "/campaigns/"+id+"/recipients/"+wrong, nil).refused(http.StatusNotFound, "Recipient not found")
	}
	for _, wrong := range []string{foreign, newID().String(), "x"} {
		n.do("GET", "/campaigns/"+wrong+"/recipients/"+n.recipientsOf(id)[0], nil).
			refused(http.StatusNotFound, "Campaign not found")
	}
}

// What a list leaves out, because campaigns can't use it, is not found by its ID either.
func TestWhatIsDeactivatedIsNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	for path, change := range map[string]string{
		"/projects/" + n.project.String():        `update project set deactivated_at = clock()`,
		"/phone-numbers/" + n.number.String():    `update phone_number set voice = false`,
		"/whatsapp/templates/" + n.newTemplate(): `update messaging_template set removed_at = clock()`,
	} {
		n.do("GET", path, nil).want(http.StatusOK)
		w.exec(change)
		if a := n.do("GET", path, nil); a.status != http.StatusNotFound {
			t.Errorf("%s after %q: %v", path, change, a)
		}
	}
}

// A template names the numbers that can send it and the values that POST /messages needs for it.
func TestTemplates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	n.writes()
	var found map[string]any
	for _, row := range n.do("GET", "/whatsapp/templates", nil).want(http.StatusOK).data() {
		if row := row.(map[string]any); row["name"] == "follow_up" && row["language"] == "en_US" {
			found = row
		}
	}
	if found == nil {
		t.Fatal("no template")
	}
	if got := jsonText(t, found["external_ids"]); got != `["20001"]` || found["problem"] != nil {
		t.Errorf("%v", found)
	}
	values := object{}
	for _, v := range found["variables"].([]any) {
		values[v.(map[string]any)["key"].(string)] = "x"
	}
	n.do("POST", "/messages", object{"external_id": found["external_ids"].([]any)[0], "to_number": "+15005550001",
		"template": object{"name": found["name"], "language": found["language"], "variables": values},
	}).want(http.StatusCreated)

	w.exec(`update messaging_template set content = jsonb_set(content, '{Status}', '"PAUSED"') where id = $1`,
		found["id"])
	a := n.do("GET", "/whatsapp/templates/"+found["id"].(string), nil).want(http.StatusOK)
	if a.get("problem") != "Template follow_up is paused" {
		t.Errorf("%v", a)
	}
}
