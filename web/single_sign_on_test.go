package web

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/oidc/oidctest"
)

// signOnProvider is an OpenID provider that describes itself and signs nobody in. All tests of a process share it.
var signOnProvider = sync.OnceValue(func() *oidctest.Provider {
	p, _ := oidctest.Start()
	return p
})

const signOnSettings = "/settings/sign-in/sso"

// signOnForm is the form of the settings without roles at the provider.
func signOnForm() url.Values {
	return form("label", "Provider", "issuer", signOnProvider().Issuer, "client_id", oidctest.ClientID,
		"client_secret", oidctest.ClientSecret, "address", "aster", "domains", "example.com")
}

// noSignOn turns single sign-on off, and returns the path of its settings.
func (n *tenant) noSignOn() string {
	n.w.exec(`delete from single_sign_on where organization_id = $1`, n.organization)
	return signOnSettings
}

// signOn turns single sign-on on with a provider that signs nobody in, and returns the path of its settings.
func (n *tenant) signOn() string {
	n.noSignOn()
	n.signOnAt(signOnProvider(), func(*account.SingleSignOn) {})
	return signOnSettings
}

func (n *tenant) signOnAt(p *oidctest.Provider, change func(*account.SingleSignOn)) {
	n.w.t.Helper()
	o := account.SingleSignOn{
		Label: "Provider", Issuer: p.Issuer, ClientID: oidctest.ClientID, Secret: oidctest.ClientSecret,
		Address: strings.ToLower(n.name), Domains: []string{"example.com"}, CreatesMembers: true,
		DefaultRole: account.Staff,
	}
	change(&o)
	if err := n.w.accounts.SetSingleSignOn(n.w.t.Context(), n.actor(), o); err != nil {
		n.w.t.Fatal(err)
	}
}

// An admin connects a provider. A colleague comes by a deep link, signs in at the provider and is on that page.
// Another one is refused with the reason. Then passwords are turned off.
func TestJourneyOfSingleSignOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	p := oidctest.New(t)
	at := w.server.URL
	browser := browsertest.Open(t)
	ada, ben := browser.NewTab(t), browser.NewTab(t)

	// refused drops the browser's own line about the status of a refusal.
	refused := func(tab *browsertest.Tab) {
		t.Helper()
		for _, problem := range tab.Problems() {
			if !strings.Contains(problem, "status of 4") {
				t.Error(problem)
			}
		}
	}

	ada.Go(at + "/settings/sign-in")
	ada.Fill("#email", n.admin.email)
	ada.Fill("#password", password)
	ada.Follow("form[action='/sign-in'] button.btn-primary")
	ada.Follow("a[href='" + signOnSettings + "']")
	ada.Check("an empty form of single sign-on")
	if got, want := ada.Text("#callback-url"), at+"/sign-in/sso/callback/"+n.organization.String(); got != want {
		t.Fatalf("the redirect URI is %q, want %q", got, want)
	}
	ada.Fill("#label", "Okta")
	ada.Fill("#issuer", p.Issuer+"/wrong")
	ada.Fill("#client_id", oidctest.ClientID)
	ada.Fill("#client_secret", oidctest.ClientSecret)
	ada.Fill("#domains", "example.com")
	ada.Fill("#role_claim", "groups")
	ada.Fill("#manager_values", "leads\nbosses of calls")
	ada.Follow(".form-foot .btn-primary")
	ada.WaitText("#issuer-error", "No provider answers at this address")
	refused(ada)
	ada.Check("a wrong issuer")
	ada.Fill("#issuer", p.Issuer)
	ada.Fill("#client_secret", oidctest.ClientSecret)
	ada.Follow(".form-foot .btn-primary")
	ada.WaitText("main", "Nobody has signed in with these settings yet")
	ada.Check("the settings of single sign-on")

	// Ben has no account. The deep link survives the way through the provider.
	p.SignsIn("ben-1", "ben@example.com", map[string]any{"name": "Ben Okri", "groups": []string{"leads"}})
	p.But(func(b *oidctest.Behavior) { b.Ask = true })
	ben.Go(at + "/calls?outcome=busy")
	ben.Follow("a[href^='/sign-in/sso?']")
	ben.Check("the search of an organization")
	ben.Fill("#find", "ben@nowhere.example")
	ben.Follow("form[action='/sign-in/sso'] .btn-primary")
	ben.WaitText("#find-error", "No organization with single sign-on is known by this")
	refused(ben)
	ben.Fill("#find", "ben@example.com")
	ben.Follow("form[action='/sign-in/sso'] .btn-primary")
	ben.WaitText("h1", "Sign in to Aster")
	ben.Check("the sign-in of an organization")
	ben.Follow("main a.btn-primary")
	ben.WaitText("h1", "Provider")
	ben.Follow("#continue")
	ben.WaitText("main", "not a member yet") // members are not created
	refused(ben)
	ben.Check("a refused sign-in")
	ada.Go(at + signOnSettings)
	ada.Click("#creates_members-on")
	ada.Follow(".form-foot .btn-primary")
	ben.Follow("main a.btn-primary")
	ben.Follow("#continue")
	ben.WaitText(".who", "Ben Okri")
	if path := ben.Path(); path != "/calls?outcome=busy" {
		t.Errorf("the sign-in leads to %s", path)
	}
	if text := ben.Text(".sidebar"); !strings.Contains(text, "Manager") {
		t.Errorf("the group makes a manager, and the page says %s", text)
	}
	ben.Go(at + "/profile")
	ben.WaitText("main", "Single sign-on")
	ben.Check("the profile of somebody by single sign-on")
	if browsertest.Eval[bool](ben, `!!document.querySelector("#current_password, a[href*='second-factor']")`) {
		t.Error("the profile has a form for a password that is not there")
	}

	// Passwords are turned off, which ends the session of Sam.
	sam := n.as(n.staff)
	sam.get("/calls").want(http.StatusOK)
	ada.Go(at + signOnSettings)
	ada.Click("#passwords_off-on")
	ada.Follow(".form-foot .btn-primary")
	ada.WaitText(".toast", "Single sign-on saved")
	sam.get("/calls").leads("/sign-in?next=%2Fcalls")
	sam.post("/sign-in", form("email", n.staff.email, "password", password, "next", "/calls")).
		leads("/sign-in/sso/aster?next=%2Fcalls")
	sam.get("/sign-in/sso/aster").want(http.StatusOK).has("Aster takes no passwords")
	ada.Go(at + "/settings/members")
	ada.WaitText("main", "Ben Okri")
	for _, tab := range []*browsertest.Tab{ada, ben} {
		for _, problem := range tab.Problems() {
			t.Errorf("at the end: %s", problem)
		}
	}
}

// Nothing but a click on our own page starts a sign-in, and nothing but the browser that started it completes it.
func TestSingleSignOnBelongsToItsBrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	p := oidctest.New(t)
	n.signOnAt(p, func(*account.SingleSignOn) {})
	p.SignsIn("ben-1", "ben@example.com", nil)
	const page = "/sign-in/sso/aster"

	b := w.newVisitor()
	b.header.Set("Sec-Fetch-Site", "cross-site")
	b.get(page + "/start?next=%2Fcalls").leads(page + "?next=%2Fcalls")
	b.header.Set("Sec-Fetch-Site", "same-origin")
	b.get(page + "?next=https%3A%2F%2Fevil.example.com").want(http.StatusOK).lacks("evil")
	started := b.get(page + "/start?next=%2F%2Fevil.example.com").want(http.StatusSeeOther)
	back := p.Visit(t, started.header.Get("Location")).RequestURI()

	other := w.newVisitor()
	other.get(back).want(http.StatusConflict).has("began in another browser", "Continue with Provider")
	other.get("/calls").leads("/sign-in?next=%2Fcalls")
	b.get(back).leads("/")
	b.get("/calls").want(http.StatusOK)
	again := w.newVisitor()
	again.client.Jar = b.client.Jar
	again.get(back).want(http.StatusConflict)

	// A provider that fails is named, and the page to come back to is kept.
	p.But(func(b *oidctest.Behavior) { b.OtherNonce = true })
	c := w.newVisitor()
	started = c.get(page + "/start?next=%2Flive").want(http.StatusSeeOther)
	c.get(p.Visit(t, started.header.Get("Location")).RequestURI()).want(http.StatusBadGateway).
		has("could not sign you in", "start?next=%2Flive")
	c.get("/sign-in/sso/callback/nonsense").want(http.StatusNotFound)
	c.get("/sign-in/sso/callback/" + newID().String()).want(http.StatusConflict)
	c.get("/sign-in/sso/nobody").want(http.StatusNotFound)
	c.get("/sign-in/sso/nobody/start").want(http.StatusNotFound)

	// An invitation leads there once passwords are off.
	w.exec(`update single_sign_on set signed_in_at = clock(), passwords_off = true`)
	c.get(n.invitationTo("eva@example.com")).want(http.StatusOK).has("Continue with Provider").lacks("New password")
}
