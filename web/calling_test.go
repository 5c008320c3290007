package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/predial"
	"github.com/dialwright/dialwright/internal/regulation"
)

func TestAllCallingIsStoppedFromTheDashboard(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v, other := n.as(n.admin), n.as(n.staff)
	id := n.newCampaign()
	v.get("/campaigns").has("Stop all calling")
	const path = "/settings/organization/stop-calling"
	v.get(path).want(http.StatusOK).
		has("Stop all calling?", "No call of Aster will start until an admin allows calling again",
			"Type “Aster” to confirm", "Also end calls in progress", "Keep calling")
	v.post(path, form("name", "Astre", "hang_up", "on")).wrong("name", "Type the name").has("Astre")
	if value[bool](w, `select calling_stopped_at is not null from organization where id = $1`, n.organization) {
		t.Fatal("stopped by a name that was mistyped")
	}
	other.post(path, form("name", "Aster")).want(http.StatusForbidden)

	live := n.newLiveCall()
	v.get(path).has("Also end the 1 call in progress")
	v.post(path, form("name", " aster ", "hang_up", "on")).leads("/settings/organization")
	v.get("/settings/organization").
		has("All calling is stopped. Ending 1 call.", "Allow calling again", "Stopped by Aster Ada")
	if !value[bool](w, `select hang_up_at is not null from call where id = $1`, live) {
		t.Error("the call in progress is not ended")
	}
	for _, page := range []string{"/", "/campaigns", "/campaigns/" + id.String(), "/calls", "/settings/api-keys"} {
		other.get(page).has("All calling is stopped", "Stopped by Aster Ada").lacks("Allow calling again")
		v.get(page).has("All calling is stopped", "Allow calling again")
	}
	v.get("/campaigns").lacks("Stop all calling</a>")
	b := w.newTenant("Borealis")
	b.as(b.admin).get("/campaigns").lacks("All calling is stopped")

	other.post("/settings/organization/allow-calling", nil).want(http.StatusForbidden)
	v.post("/settings/organization/allow-calling", nil).leads("/settings/organization")
	v.get("/settings/organization").has("Calling allowed", "Stop all calling").lacks("All calling is stopped")
}

func TestCallingLimitsForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const path = "/settings/organization/limits"
	data := form("max_concurrency", "40", "calls_per_second", "2.5", "max_daily_attempts", "3")
	for _, c := range []struct{ field, value, message string }{
		{"max_concurrency", "many", "Must be a whole number"},
		{"max_concurrency", "0", "Must be between"},
		{"calls_per_second", "0", "Must be between"},
		{"max_daily_attempts", "101", "Must be between 1 and 100"},
	} {
		v.post(path, changed(data, c.field, c.value)).wrong(c.field, c.message).has(c.value, "Save organization")
	}
	v.post(path, data).leads("/settings/organization")
	v.get("/settings/organization").has("Calling limits saved", `value="40"`, `value="2.5"`, `value="3"`)
	n.as(n.staff).get("/settings/organization").has("Calls to one number in 24 hours", "2.5").lacks("Save limits")
	v.post(path, form("max_concurrency", "", "calls_per_second", "", "max_daily_attempts", "")).
		leads("/settings/organization")
	n.as(n.staff).get("/settings/organization").has("No limit")
}

func TestCallingRulesForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const path = "/settings/compliance"
	v.get(path).has("Florida", "At most 3 calls to a number in 24 hours", "Fla. Stat. § 501.616(6)(b)", "Unverified",
		"not legal advice")
	v.post(path+"/consent", form("consent_required", "on")).leads(path)
	if !v.get(path).has("Consent saved").ticked("consent_required", "on") {
		t.Error("the setting is not kept")
	}
	v.get(path).has(`name="abandoned_most"`, `value="100"`)
	v.post(path+"/abandoned", form("abandoned_most", "many", "abandoned_least", "100")).
		wrong("abandoned_most", "Must be a number").has(`value="many"`)
	v.post(path+"/abandoned", form("abandoned_most", "3", "abandoned_least", "")).wrong("abandoned_least", "between 1")
	v.post(path+"/abandoned", form("abandoned_most", "2.5", "abandoned_least", "200")).leads(path)
	v.get(path).has("Limit saved", `value="2.5"`, `value="200"`)
	n.as(n.staff).get(path).has("2.5%, if people answered at least 200 calls").lacks("Save limit")
	v.post(path+"/rules", form("apply", "on", "closed_days", "24.12. Christmas Eve")).
		wrong("closed_days", "dates such as").has("24.12. Christmas Eve")
	v.post(path+"/rules", form("apply", "on", "closed_days", "12-24  Christmas Eve\r\n\r\n2027-01-02")).leads(path)
	saved := v.get(path).has("Rules saved", "12-24 Christmas Eve\n2027-01-02")
	if !saved.ticked("apply", "on") || saved.ticked("holidays", "on") {
		t.Error("the settings are not kept")
	}

	rule := path + "/rules/us-fl-calls"
	v.get(path + "/rules/none").want(http.StatusNotFound)
	v.get(rule).has("At most 3 calls", `value="3"`)
	v.post(rule, form("use", "other", "calls", "many", "reason", "x")).wrong("calls", "whole number")
	v.post(rule, form("use", "other", "calls", "2")).wrong("reason", "Required")
	v.post(rule, form("use", "other", "calls", "2", "reason", "a promise")).leads(path)
	v.get(path).has("At most 2 calls to a number in 24 hours", "Listed rule: At most 3 calls", "a promise")
	v.post(rule, form("use", "listed")).leads(path)
	v.get(path).lacks("a promise")

	hours := path + "/rules/us-hours"
	v.post(hours, form("use", "other", "reason", "x", "action", "window", "calling_hours.windows[0].days", "mon",
		"calling_hours.windows[0].start", "09:00", "calling_hours.windows[0].end", "17:00")).
		want(http.StatusOK).has("calling_hours.windows[1].start")
	v.post(hours, form("use", "other", "reason", "x", "calling_hours.windows[0].start", "09:00")).
		want(http.StatusUnprocessableEntity).has("At least one day is required")
	v.post(hours, form("use", "other", "reason", "office hours", "calling_hours.windows[0].days", "mon",
		"calling_hours.windows[0].start", "09:00", "calling_hours.windows[0].end", "17:00")).leads(path)
	v.get(path).has("09:00–17:00, Mon", "office hours")
	v.post(hours, form("use", "off", "reason", "not telemarketing")).leads(path)
	v.get(path).has("Not applied", "not telemarketing")
	if got := v.get(hours); !got.ticked("use", "off") {
		t.Error("the choice is not shown")
	}
	other := n.as(n.staff)
	other.get(path).has("Florida", "Rules by place apply").lacks("Save rules")
	other.post(path+"/rules", form()).want(http.StatusForbidden)
}

// newOwnRule adds a rule and returns the page that removes it.
func (n *tenant) newOwnRule() string {
	n.w.t.Helper()
	actor := account.Actor{OrganizationID: n.organization, Kind: account.ByUser, ID: n.admin.id, Name: "Ada"}
	id := ""
	if err := n.w.app.Calling.ChangeRules(n.w.t.Context(), actor, func(s *regulation.Settings) {
		s.Add(regulation.Rule{Place: "DE", Calls: 2, Days: 1, Source: "A promise"})
		id = s.Own[len(s.Own)-1].ID
	}); err != nil {
		n.w.t.Fatal(err)
	}
	return "/settings/compliance/own-rules/" + id + "/remove"
}

func TestOwnRuleForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v, other := n.as(n.admin), n.as(n.staff)
	const page, path = "/settings/compliance", "/settings/compliance/own-rules"
	v.get(page).has("No rules of your own yet", "Add rule")
	v.get(path+"/new").has(`value="US-GA"`, `value="CA-ON"`, `value="DE"`).lacks(`value="PR"`)
	rule := func(more ...string) url.Values {
		return form(append([]string{"place", "CA-ON", "reason", "A promise"}, more...)...)
	}
	v.post(path, rule()).wrong("calls", "Required, unless the rule has hours")
	v.post(path, rule("calls", "0")).wrong("calls", "between 1 and 100").has("A promise")
	v.post(path, rule("calls", "many")).wrong("calls", "whole number")
	v.post(path, form("place", "XX", "calls", "2", "reason", "x")).wrong("place", "a country")
	v.post(path, form("place", "DE", "calls", "2")).wrong("reason", "Required")
	monday := []string{"calling_hours.windows[0].days", "mon", "calling_hours.windows[0].start", "09:00",
		"calling_hours.windows[0].end", "17:00"}
	v.post(path, rule(append(monday, "action", "window")...)).want(http.StatusOK).has("calling_hours.windows[1].start")
	v.post(path, rule("calling_hours.windows[0].start", "09:00")).want(http.StatusUnprocessableEntity).
		has("At least one day is required")
	v.post(path, rule(append(monday, "calls", "2")...)).leads(page)
	const text = "09:00–17:00, Mon, and at most 2 calls to a number in 24 hours"
	v.get(page).has("Rule added", "Ontario, Canada", text, "A promise").lacks("No rules of your own yet")
	other.get(page).has("Ontario, Canada", text).lacks("Add rule", "/remove")
	other.post(path, rule("calls", "2")).want(http.StatusForbidden)

	v.get(path + "/own-de-00000000/remove").want(http.StatusNotFound)
	remove := path + "/" + value[string](w, `select calling_rules -> 'own_rules' -> 0 ->> 'id' from organization
		where id = $1`, n.organization) + "/remove"
	v.get(remove).has("Remove your rule for Ontario, Canada?", text)
	foreign := w.newTenant("Borealis")
	foreign.as(foreign.admin).get(remove).want(http.StatusNotFound)
	v.post(remove, nil).leads(page)
	v.get(page).has("Rule removed", "No rules of your own yet").lacks("Ontario, Canada")
}

// newCheck sets up a pre-dial check that is off, at an address that does not answer.
func (n *tenant) newCheck() uuid.UUID {
	n.w.t.Helper()
	actor := account.Actor{OrganizationID: n.organization, Kind: account.ByUser, ID: n.admin.id, Name: "Ada"}
	if _, err := n.w.app.Checks.Save(n.w.t.Context(), actor, predial.Draft{
		URL: "http://127.0.0.1:1/check", OnFailure: predial.Wait,
	}); err != nil {
		n.w.t.Fatal(err)
	}
	n.w.exec(`update pre_dial_check set enabled_at = null where organization_id = $1`, n.organization)
	return uuid.Nil
}

func (n *tenant) newCheckThatIsOn() uuid.UUID {
	id := n.newCheck()
	n.w.exec(`update pre_dial_check set enabled_at = clock() where organization_id = $1`, n.organization)
	return id
}

func TestPreDialCheckForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v, other := n.as(n.admin), n.as(n.staff)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"allow": false, "reason": "on a list"}`)
	}))
	t.Cleanup(server.Close)
	const path = "/settings/compliance/pre-dial-check"
	v.get("/settings/compliance").has("Set up check")
	if !v.get(path).lacks("Send test").ticked("on_failure", "wait") {
		t.Error("waiting is not the default")
	}
	v.get(path + "/remove").want(http.StatusNotFound)
	v.post(path, form("url", "http://example.com", "on_failure", "call")).wrong("url", "https").
		has("http://example.com")
	v.post(path, form("url", server.URL, "on_failure", "call")).want(http.StatusCreated).
		has("whsec_", "Copy secret", "The check is off", "Send test", "Turn on")
	v.post(path, form("url", server.URL, "on_failure", "wait")).leads(path)
	if !v.get(path).has("Check saved", server.URL, "None yet").lacks("whsec_").ticked("on_failure", "wait") {
		t.Error("the setting is not kept")
	}
	v.post(path+"/test", nil).want(http.StatusOK).has("The test was answered", "Refused after", "on a list")
	v.get(path).has("The check is off", "Turn on").lacks("Turn off")
	v.get("/settings/compliance").has("Off")
	other.post(path+"/enable", nil).want(http.StatusForbidden)
	v.post(path+"/enable", nil).leads(path)
	v.get(path).has("Your server is asked about every call", "On since", "Turn off").
		lacks("The check is off", "Turn on")
	v.get(path).has("Refused ·")
	other.get("/settings/compliance").has("Show check")
	other.get(path).has("Refused ·", "On since").lacks("Save check", "Send test", "Turn off", "Rotate secret")
	other.post(path+"/test", nil).want(http.StatusForbidden)

	mark := value[string](w, `select left(encode(sha256(secret), 'hex'), 16) from pre_dial_check`)
	v.get(path + "/rotate-secret").has(`value="` + mark + `"`)
	v.post(path+"/rotate-secret", form("mark", mark)).want(http.StatusOK).has("whsec_", "both secrets until")
	v.post(path+"/rotate-secret", form("mark", mark)).leads(path)
	v.get(path).has("already rotated", "the old and the new secret until")

	server.Close()
	v.post(path+"/test", nil).want(http.StatusOK).has("The test failed", "Failed after")
	w.exec(`update pre_dial_check set failures = 5`)
	v.get(path).has("The check fails, so calls wait")
	other.post(path+"/disable", nil).want(http.StatusForbidden)
	v.post(path+"/disable", nil).leads(path)
	v.get(path).has("Calls are placed without it", "The check is off").lacks("The check fails, so calls wait")
	other.get(path).has("The check is off").lacks("Turn on")

	v.get(path + "/remove").has("Remove the pre-dial check?")
	v.post(path+"/remove", nil).leads("/settings/compliance")
	v.get("/settings/compliance").has("Check removed", "Set up check")
}
