package api

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

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
// A key that is limited to other addresses is refused.
func TestKeyOfAnotherNetwork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	_, key, err := w.accounts.CreateKey(t.Context(), account.System(n.organization), account.NewKey{
		Name: "Office", Networks: []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/me", "/calls"} {
		w.do("GET", path, key, nil).refused(http.StatusForbidden, "This API key may not be used from your IP address")
	}
}

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

// Calls and recipients are found by what an integration knows of them, in lists and exports. What is found is all that
// matches, and nothing of another organization.
func TestLookups(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Acme"), w.newTenant("Other")
	first, second, foreign := n.newCall("+15005550001"), n.newCall("+15005550002"), other.newCall("+15005550001")
	id, stranger := n.newCampaign(), other.newCampaign()
	recipients := n.recipientsOf(id) // the second one has the external_id 1 and metadata
	w.exec(`update call set recipient_id = $2, campaign_id = $3, metadata = '{"source": "crm", "visits": 3, "vip": true, "a [b]": "x"}',
			analysis = jsonb_set(analysis, '{answers}', '{"confirmed": false, "guests": 2, "note": "a, b & c"}')
		where id = $1`, first, recipients[1], id)
	w.exec(`update call set metadata = '{"source": "crm", "visits": "3"}' where id = $1`, second)
	w.exec(`update call set metadata = '{"source": "crm", "visits": 3}' where id = $1`, foreign)
	planned := n.ownCall()
	planned["metadata"], planned["scheduled_at"] = object{"source": "crm", "plan": "p1"}, time.Now().Add(time.Hour)
	next := n.do("POST", "/calls", planned).want(http.StatusCreated).get("id").(string)
	one, two, whole := first.String(), second.String(), "/campaigns/"+id+"/recipients"

	for query, want := range map[string][]string{
		"/calls?recipient_id=" + recipients[1]:                              {one},
		"/calls?recipient_id=" + newID().String():                           {},
		"/calls?metadata[source]=crm":                                       {next, two, one},
		"/calls?metadata%5Bsource%5D=crm&metadata[visits]=3":                {two, one},
		"/calls?metadata[visits]=3&metadata[vip]=true":                      {one},
		"/calls?metadata[plan]=p1&status=scheduled":                         {next},
		"/calls?metadata[plan]=p1&status=scheduled&metadata[source]=x":      {},
		"/calls?metadata[a+[b]]=x":                                          {one},
		"/calls?metadata[source]=CRM":                                       {},
		"/calls?metadata[gone]=crm":                                         {},
		"/calls?answers[confirmed]=false":                                   {one},
		"/calls?answers[confirmed]=true":                                    {two},
		"/calls?answers[guests]=2":                                          {two, one},
		"/calls?answers[note]=a,+b+%26+c&answers[guests]=2":                 {one},
		"/calls?answers[guests]=2&q=hello":                                  {two, one},
		"/calls?metadata[vip]=true&q=hello":                                 {one},
		"/calls?recipient_id=" + recipients[1] + "&q=hello":                 {one},
		"/calls?q=hello&ended_after=2026-01-01T00:00:00Z":                   {two, one},
		"/calls?q=hello&ended_before=2026-01-01T00:00:00Z":                  {},
		"/calls?phone_number=%2B15005550001":                                {one},
		"/calls?phone_number=+15005550001&metadata[source]=crm":             {one},
		"/calls?phone_number=%2B15005550001&agent_id=" + n.agent.String():   {one},
		whole + "?external_id=1":                                            {recipients[1]},
		whole + "?external_id=2":                                            {},
		whole + "?phone_number=%2B15005550002":                              {recipients[0]},
		whole + "?phone_number=%2B15005550002&external_id=1":                {},
		whole + "?phone_number=%2B15005550001&status=pending,completed":     {recipients[1]},
		whole + "?phone_number=%2B15005550001&status=completed":             {},
		whole + "?metadata[visits]=3&metadata[first]=false":                 {recipients[1]},
		whole + "?metadata[visits]=4":                                       {},
		whole + "?metadata[from]=crm&external_id=1&status=pending&limit=10": {recipients[1]},
	} {
		w.refill()
		path, filter, _ := strings.Cut(query, "?")
		exported := path + "/export?" + strings.TrimSuffix(filter, "&limit=10")
		for _, query := range []string{query, exported} {
			got := []string{}
			for _, row := range n.do("GET", query, nil).rowsOf(query) {
				got = append(got, row["id"])
			}
			sorted := slices.Clone(want)
			if query == exported && path == whole { // an export has the order of the list that was sent
				slices.Reverse(sorted)
			}
			if !slices.Equal(got, sorted) {
				t.Errorf("GET %s: got %v, want %v", query, got, sorted)
			}
		}
	}
	w.refill()
	other.do("GET", whole+"?external_id=1", nil).refused(http.StatusNotFound, "Campaign not found")
	if got := other.do("GET", "/calls?metadata[source]=crm", nil).data(); len(got) != 1 ||
		got[0].(map[string]any)["id"] != foreign.String() {
		t.Errorf("another organization finds %v", got)
	}
	if got := n.do("GET", "/campaigns/"+stranger+"/recipients?external_id=1", nil); got.status != http.StatusNotFound {
		t.Errorf("%v", got)
	}

	long := strings.Repeat("x", 501)
	for query, want := range map[string]string{
		"/calls?metadata=crm":                              "metadata: must have a key, such as metadata[source]",
		"/calls?metadata[]=crm":                            "metadata[]: must have a key, such as metadata[source]",
		"/calls?metadata[x=crm":                            "metadata[x: must have a key, such as metadata[source]",
		"/calls?metadata[x]=":                              "metadata[x]: must not be empty",
		"/calls?metadta[x]=1":                              "metadta[x]: unknown parameter, did you mean metadata[x]?",
		"/calls?answer[x]=1":                               "answer[x]: unknown parameter, did you mean answers[x]?",
		"/calls?externalid=1":                              "externalid: unknown parameter, did you mean external_id?",
		"/calls?ended_aftr=1":                              "ended_aftr: unknown parameter, did you mean ended_after?",
		whole + "?metadata[x]=%00":                         "metadata[x]: must be text of at most 500 characters",
		"/calls?metadata[x]=1&metadata[x]=1":               "metadata[x]: given twice",
		"/calls?answers[x]=" + long:                        "answers[x]: must be text of at most 500 characters",
		"/calls?metadata[" + long[:65] + "]=1":             "metadata: keys must be 1 to 64 characters",
		"/calls?metadata[%ff]=1":                           "metadata: keys must be 1 to 64 characters",
		"/calls?ended_after=2026":                          "",
		"/calls?phone_number=%2B1&number=%2B1":             "",
		"/calls?recipient_id=x":                            "recipient_id: must be a UUID",
		whole + "?external_id=" + strings.Repeat("x", 201): "external_id: must have at most 200 characters",
		"/calls?phone_number=%2B15005550001&number=%2B15005550001": "number: is the same filter as phone_number: " +
			"send one of them",
	} {
		w.refill()
		a := n.do("GET", query, nil).want(http.StatusBadRequest)
		if want != "" {
			a.refused(http.StatusBadRequest, want)
		}
	}
}

// A list by the time of the end does not search older calls, however long ago a call was created that ended then.
func TestCallsOfAPeriod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	ids := map[string]string{}
	for name, times := range map[string][3]string{ // created, started, ended
		"long":  {"2026-01-01T00:00:00Z", "2026-01-01T00:00:10Z", "2026-03-01T12:00:00Z"},
		"short": {"2026-03-01T11:58:00Z", "2026-03-01T11:58:10Z", "2026-03-01T11:59:00Z"},
		"late":  {"2026-03-02T00:00:00Z", "2026-03-02T00:00:10Z", "2026-03-02T00:01:00Z"},
		"live":  {"2026-03-01T11:00:00Z", "2026-03-01T11:00:10Z", ""},
	} {
		id := n.newLiveCall()
		if times[2] != "" {
			w.exec(`update call set status = 'completed', outcome = 'completed', ended_at = $2, settled_at = $2
				where id = $1`, id, times[2])
		}
		w.exec(`update call set created_at = $2, started_at = $3 where id = $1`, id, times[0], times[1])
		ids[id] = name
	}
	for query, want := range map[string]string{
		"ended_after=2026-03-01T11:59:30Z":                                     "late long",
		"ended_after=2026-03-01T11:59:00Z":                                     "late long",
		"ended_after=2026-03-01T11:58:59.999Z":                                 "late short long",
		"ended_before=2026-03-01T12:00:00Z":                                    "short",
		"ended_after=2026-03-01T11:00:00Z&ended_before=2026-03-01T13:00:00Z":   "short long",
		"ended_after=2026-03-01T11:00:00Z&created_after=2026-02-01T00:00:00Z":  "late short",
		"ended_after=2026-03-03T00:00:00Z":                                     "",
		"started_after=2026-03-01T11:00:00Z":                                   "late short live",
		"started_after=2026-03-01T11:00:00Z&status=in_progress":                "live",
		"started_after=2026-03-01T11:00:00Z&ended_before=2026-03-01T12:30:00Z": "short",
		"started_before=2026-03-01T11:00:00Z":                                  "long",
		"started_before=2026-03-01T11:30:00Z":                                  "live long",
		"started_after=2025-01-01T00:00:00Z":                                   "late short live long",
	} {
		w.refill()
		var got []string
		query := "/calls?limit=1&" + query
		for cursor := ""; ; {
			a := n.do("GET", query+cursor, nil)
			for _, row := range a.data() {
				got = append(got, ids[row.(map[string]any)["id"].(string)])
			}
			next, more := a.get("next_cursor").(string)
			if !more {
				break
			}
			cursor = "&cursor=" + url.QueryEscape(next)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}
