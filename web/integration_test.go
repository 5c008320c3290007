package web

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/carrier/sandbox"
)

// Credentials that a carrier refuses are not saved, and the form keeps its other fields.
func TestACarrierIsAskedBeforeItIsSaved(t *testing.T) {
	t.Parallel()
	const token = "token-of-the-sandbox"
	account := "AC" + strings.Repeat("0a", 16)
	right := sandbox.AccountToken(token, account)
	network := sandbox.New(sandbox.Options{Token: token, Speed: sandboxSpeed, Log: slog.New(slog.DiscardHandler)})
	server := httptest.NewServer(network)
	t.Cleanup(server.Close)
	w := newWorld(t, func(o *app.Options) { o.TwilioURL = server.URL })
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	data := form("carrier", "twilio", "name", "Main account", "account", account, "token", "wrong-token-0001",
		"calls_per_second", "2.5")

	v.post("/settings/integrations", data).wrong("token", "does not accept the credentials").has("Main account", "2.5").
		lacks("wrong-token-0001")
	if got := w.count(`select count(*) from connection where kind = 'twilio'`); got != 0 {
		t.Fatalf("%d connections that Twilio refuses", got)
	}
	connected := v.post("/settings/integrations", changed(data, "token", right))
	id := idOf(w, "connection", "name", "Main account")
	path := "/settings/integrations/" + id.String()
	connected.leads(path)

	v.post(path, form("name", "Renamed", "token", "wrong-token-0002", "calls_per_second", "1")).
		wrong("token", "does not accept the credentials")
	v.post(path, form("name", "Renamed", "calls_per_second", "1")).leads("/settings/integrations")
	if kept, err := w.app.Projects.Credentials(t.Context(), id); err != nil || kept.Token != right {
		t.Errorf("the token that works was not kept: %v", err)
	}

	// A token is replaced by the next one before Twilio signs with it.
	next := network.CreateSecondaryToken(account)
	v.post(path, form("name", "Renamed", "token", next, "calls_per_second", "1")).leads("/settings/integrations")
	if kept, err := w.app.Projects.Credentials(t.Context(), id); err != nil || kept.Token != next ||
		kept.PreviousToken != right {
		t.Errorf("the replaced token was not kept: %v", err)
	}
	if _, err := network.PromoteToken(account); err != nil {
		t.Fatal(err)
	}
	v.get(path).has("The previous auth token is accepted until", `href="`+path+`/previous-token/remove"`).
		lacks(right, next)
	v.get(path+"/previous-token/remove").has("Remove the previous auth token?", "Promote the new token in Twilio")
	v.post(path+"/previous-token/remove", nil).leads(path)
	v.get(path).has("Previous token removed").lacks("The previous auth token is accepted")
	if kept, err := w.app.Projects.Credentials(t.Context(), id); err != nil || kept.PreviousToken != "" {
		t.Errorf("the replaced token was kept: %v", err)
	}

	key, secret := network.CreateKey(account)
	v.post(path, form("name", "Renamed", "api_key", key, "calls_per_second", "1")).
		wrong("api_secret", "Required with a new API key").has(`value="` + key + `"`)
	v.post(path, form("name", "Renamed", "api_key", key, "api_secret", "wrong-secret", "calls_per_second", "1")).
		wrong("api_secret", "does not accept the credentials").lacks("wrong-secret")
	v.post(path, form("name", "Renamed", "api_key", key, "api_secret", secret, "calls_per_second", "1")).
		leads("/settings/integrations")
	v.get(path).has(`value="`+key+`"`, "Leave empty to keep the current secret").lacks(secret)
	v.post(path, form("name", "Renamed", "api_key", key, "calls_per_second", "1")).leads("/settings/integrations")
	if kept, err := w.app.Projects.Credentials(t.Context(), id); err != nil || kept.APIKey != key ||
		kept.APISecret != secret || kept.Token != next {
		t.Errorf("the key was not kept: %v", err)
	}
	v.post(path, form("name", "Renamed", "api_key", "", "calls_per_second", "1")).leads("/settings/integrations")
	if kept, err := w.app.Projects.Credentials(t.Context(), id); err != nil || kept.APIKey+kept.APISecret != "" {
		t.Errorf("the key was not removed: %v", err)
	}
	server.Close()
	// The carrier's failure does not concern the token, so the error is shown for the
	// whole form.
	v.post(path, form("name", "Renamed", "token", "wrong-token-0003", "calls_per_second", "1")).
		want(http.StatusUnprocessableEntity).
		has("nothing was saved: Twilio could not be reached. Check that this server can reach Twilio", "Renamed").
		lacks(`id="token-error"`)
}

// The form of a number offers the carrier accounts' numbers that are not yet added. It
// also works while a carrier does not answer.
func TestNumbersOfTheCarrierAreOffered(t *testing.T) {
	t.Parallel()
	const token = "token-of-the-sandbox"
	network := httptest.NewServer(sandbox.New(sandbox.Options{
		Token: token, Speed: sandboxSpeed, Log: slog.New(slog.DiscardHandler),
	}))
	t.Cleanup(network.Close)
	w := newWorld(t, func(o *app.Options) { o.Sandbox = app.Sandbox{URL: network.URL, Token: token} })
	n := w.newTenant("Aster") // the tenant has the number +15005559000
	v := n.as(n.admin)
	option := `<option value="+15005559001" label="Sandbox line 2, ` +
		value[string](w, `select name from connection where id = $1`, n.connection) +
		`" data-connection="` + n.connection.String() + `"`
	const path = "/phone-numbers"
	v.get(path+"/new").want(http.StatusOK).
		has(option, "+15005559002", "Choose a number of your carrier account, or type one").
		lacks(`value="+15005559000"`)
	v.post(path, form("phone_number", "+15005559001", "connection_id", n.connection.String())).leads(path)
	v.get(path + "/new").lacks(option)
	other := w.newTenant("Borealis")
	other.as(other.admin).get(path + "/new").has("+15005559001")

	network.Close()
	w.exec(`
		insert into connection (id, organization_id, kind, name, account, credentials, created_at)
		select gen_random_uuid(), organization_id, 'sandbox', 'Newer ' || i, 'AC' || i, '', created_at + interval '1 h'
		from connection, generate_series(1, 100) i where id = $1`, n.connection)
	v.get(path+"/new").want(http.StatusOK).has("could not be read. Type the number", "Newer 100",
		`<option value="`+n.connection.String()+`"`).lacks("+15005559002")
	v.post(path, form("phone_number", "+15005559002", "connection_id", n.connection.String())).leads(path)
}

// In a browser, choosing a number of a carrier's account also chooses the account's connection.
func TestJourneyToANumber(t *testing.T) {
	t.Parallel()
	const token = "token-of-the-sandbox"
	network := httptest.NewServer(sandbox.New(sandbox.Options{
		Token: token, Speed: sandboxSpeed, Log: slog.New(slog.DiscardHandler),
	}))
	t.Cleanup(network.Close)
	w := newWorld(t, func(o *app.Options) { o.Sandbox = app.Sandbox{URL: network.URL, Token: token} })
	n := w.newTenant("Aster")
	w.exec(`
		insert into connection (id, organization_id, kind, name, account, credentials, created_at)
		select gen_random_uuid(), organization_id, 'twilio', 'Other', 'AC1', '', created_at + interval '1 h'
		from connection where id = $1`, n.connection)
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Become(w.server.URL, n.as(n.admin).client.Jar.Cookies(w.origin()))
	tab.Go(w.server.URL + "/phone-numbers/new")
	tab.WaitFor(`document.querySelector("datalist option[value='+15005559001']") !== null`)
	tab.Fill("#phone_number", "+15005559001")
	tab.WaitFor(`document.getElementById("connection_id").value === "` + n.connection.String() + `"`)
	tab.Check("a number of the carrier's account")
	tab.Follow(".form-foot .btn-primary")
	tab.WaitText("tbody", "+1 500 555 9001")
	tab.Check("the numbers")
}
