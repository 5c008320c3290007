package api

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/messaging/connection"
	"github.com/dialwright/dialwright/internal/messaging/sandbox"
)

// whatsapp turns the channel on, with a sandbox operator.
func (w *world) whatsapp(world []sandbox.Portfolio) *sandbox.Operator {
	w.t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	operator := sandbox.New(sandbox.Options{Token: "system-user-token", World: world, Log: quiet})
	server := httptest.NewServer(operator)
	w.t.Cleanup(server.Close)
	w.t.Cleanup(operator.Close)
	w.wire(func(o *app.Options) {
		o.WhatsApp = app.WhatsApp{
			Simulated: true, GraphURL: server.URL, CallbackURL: w.server.URL, ReadTime: 3 * time.Second,
		}
	})
	return operator
}

// writes turns the channel on and gives the tenant the number from which prepared sends
// messages.
func (n *tenant) writes() {
	n.w.t.Helper()
	n.w.whatsapp([]sandbox.Portfolio{{Tier: "TIER_1K",
		Accounts: []sandbox.Account{{ID: "10001", Numbers: []sandbox.Number{
			{ID: "20001", PhoneNumber: "+1 312-555-0122", Name: "Support"}}}, freeAccount}}})
	n.connect("10001")
}

// freeAccount is an account at the operator that nobody has connected.
var freeAccount = sandbox.Account{ID: "10009", Numbers: []sandbox.Number{
	{ID: "20009", PhoneNumber: "+1 312-555-0129", Name: "Clinic"}}}

// whatsAppAccount returns the body of POST /whatsapp/connections, for the free account.
func (n *tenant) whatsAppAccount() object {
	return object{
		"name": "Clinic", "account": freeAccount.ID, "token": "system-user-token", "app_secret": "system-user-token",
	}
}

// freeWhatsApp disconnects the free account, so that it can be connected again.
func (w *world) freeWhatsApp() {
	w.t.Helper()
	w.exec(`update messaging_connection set disconnected_at = clock(), credentials = ''
		where account = $1 and disconnected_at is null`, freeAccount.ID)
	w.exec(`update messaging_number set disconnected_at = clock()
		where external_id = $1 and disconnected_at is null`, freeAccount.Numbers[0].ID)
}

// newWhatsApp stores a connected account without numbers and returns its id.
func (n *tenant) newWhatsApp() string {
	n.w.t.Helper()
	id := newID()
	n.w.exec(`insert into messaging_connection (id, organization_id, name, account, credentials)
		values ($1::uuid, $2, 'WhatsApp', $1::text, '')`, id, n.organization)
	return id.String()
}

// connect connects a WhatsApp Business Account to the tenant.
func (n *tenant) connect(accountID string) connection.Connection {
	n.w.t.Helper()
	c, err := n.w.app.WhatsApp.CreateConnection(n.w.t.Context(), account.System(n.organization),
		connection.NewConnection{Account: accountID,
			Settings: connection.Settings{
				Name: "WhatsApp", Token: "system-user-token", AppSecret: "system-user-token",
			}})
	if err != nil {
		n.w.t.Fatal(err)
	}
	return c
}

// writtenTo counts recipients against the 24-hour quota of a number.
func (n *tenant) writtenTo(externalID string, recipients int) {
	n.w.t.Helper()
	n.w.exec(`
		with put as (
			insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at)
			select n.scope_id, '+1312' || 2000000 + i, clock(), clock()
				from messaging_number n, generate_series(1, $2::int) i where n.external_id = $1)
		update messaging_scope set recipients = recipients + $2
			where id = (select scope_id from messaging_number where external_id = $1)`,
		externalID, recipients)
}

func TestQuotaIsNotConfigured(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.newTenant("Acme").do("GET", "/campaigns/quota", nil).
		refused(http.StatusServiceUnavailable, "Messaging channel not configured")
}

func TestQuotaOfTwoNumbers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acme, other := w.newTenant("Acme"), w.newTenant("Umbrella")
	w.whatsapp([]sandbox.Portfolio{
		{Tier: "TIER_1K", Accounts: []sandbox.Account{{ID: "10001", Numbers: []sandbox.Number{
			{ID: "20001", PhoneNumber: "+1 312-555-0122", Name: "Support"},
			{ID: "20002", PhoneNumber: "+1 312-555-0133"}}}}},
		{
			Tier: "TIER_250",
			Accounts: []sandbox.Account{
				{ID: "10002", Numbers: []sandbox.Number{{ID: "20003", PhoneNumber: "+1 312-555-0144", Name: "Theirs"}}},
			},
		},
	})
	if a := acme.do("GET", "/campaigns/quota", nil).want(http.StatusOK); a.body != `{"numbers":[]}`+"\n" {
		t.Errorf("without a number: %v", a)
	}
	acme.connect("10001")
	other.connect("10002")
	acme.writtenTo("20001", 120)

	const first = `{"external_id":"20001","name":"Support","tier":1000,"used_24h":120,"available":880}`
	const second = `{"external_id":"20002","name":null,"tier":1000,"used_24h":0,"available":1000}`
	if a := acme.do("GET", "/campaigns/quota", nil).
		want(http.StatusOK); a.body != `{"numbers":[`+first+`,`+second+`]}`+"\n" &&
		a.body != `{"numbers":[`+second+`,`+first+`]}`+"\n" {
		t.Errorf("%v", a)
	}
	if a := other.do("GET", "/campaigns/quota", nil).want(
		http.StatusOK,
	); a.body != `{"numbers":[{"external_id":"20003","name":"Theirs","tier":250,"used_24h":0,"available":250}]}`+"\n" {
		t.Errorf("another organization: %v", a)
	}
	w.do("GET", "/campaigns/quota", acme.newKey(account.CallsRead), nil).refused(http.StatusForbidden, "Forbidden")
}

// A failure of the operator is visible at once, and so is the recovery.
func TestQuotaWhenTheOperatorFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	operator := w.whatsapp(nil)
	n.connect(sandbox.Account250)
	n.connect(sandbox.Account1K)
	n.do("GET", "/campaigns/quota", nil).want(http.StatusOK)
	for _, trouble := range []sandbox.Trouble{
		{Kind: sandbox.Down}, {Kind: sandbox.Malformed}, {Kind: sandbox.Slow, Delay: time.Minute},
		{Kind: sandbox.Refusing, Code: 190},
	} {
		if err := operator.SetTrouble(sandbox.Account1K, trouble); err != nil {
			t.Fatal(err)
		}
		n.do("GET", "/campaigns/quota", nil).refused(http.StatusBadGateway, "Messaging service unavailable")
		if err := operator.SetTrouble("", sandbox.Trouble{}); err != nil {
			t.Fatal(err)
		}
		n.do("GET", "/campaigns/quota", nil).want(http.StatusOK)
	}
}

func TestQuotaAfterALowerTier(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Acme")
	operator := w.whatsapp(nil)
	n.connect(sandbox.Account1K)
	n.writtenTo(sandbox.Number1K, 300)
	for tier, want := range map[string][3]float64{
		"TIER_250": {250, 300, 0}, "TIER_10K": {10000, 300, 9700}, "TIER_2K": {2000, 300, 1700},
		"TIER_UNLIMITED": {100000, 300, 99700}, "TIER_NOT_SET": {250, 300, 0}, "": {250, 300, 0},
	} {
		if err := operator.SetTier(sandbox.Account1K, tier); err != nil {
			t.Fatal(err)
		}
		a := n.do("GET", "/campaigns/quota", nil).want(http.StatusOK)
		var got struct{ Numbers []map[string]any }
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || len(got.Numbers) != 1 {
			t.Fatalf("%v, %v", a, err)
		}
		q := got.Numbers[0]
		if q["tier"] != want[0] || q["used_24h"] != want[1] || q["available"] != want[2] || len(q) != 5 {
			t.Errorf("%q: %v", tier, q)
		}
	}
}
