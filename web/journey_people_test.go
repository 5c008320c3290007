package web

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// An admin invites a colleague. The colleague joins in a second browser, turns on
// two-step sign-in, signs in with a code, and signs out all other sessions.
func TestJourneyOfPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	at := w.server.URL
	browser := browsertest.Open(t)
	ada, ben := browser.NewTab(t), browser.NewTab(t)
	signIn := func(tab *browsertest.Tab, email string) {
		tab.Go(at + "/sign-in")
		tab.Fill("#email", email)
		tab.Fill("#password", password)
		tab.Follow("form[action='/sign-in'] button.btn-primary")
	}

	signIn(ada, n.admin.email)
	ada.Go(at + "/settings/members")
	ada.Follow(".page-head .btn-primary")
	ada.Fill("#email", "ben@example.com")
	ada.Follow(".form-foot .btn-primary")
	ada.Check("an invitation's link")
	link := browsertest.Eval[string](ada, "document.querySelector('#secret-value').value")
	if !strings.HasPrefix(link, at+"/invitation?token=") {
		t.Fatalf("the link is %q", link)
	}

	ben.Go(link)
	ben.Check("an invitation")
	ben.Fill("#name", "Ben Okri")
	ben.Fill("#password", password)
	ben.Follow("form[action^='/invitation?token='] .btn-primary")
	ben.WaitText(".who", "Ben Okri")
	if text := ben.Text(".sidebar"); !strings.Contains(text, "Staff") || strings.Contains(text, "Audit log") {
		t.Errorf("staff see %s", text)
	}

	ben.Go(at + "/profile")
	ben.Follow("a[href='/profile/second-factor/new']")
	secret := ben.Text("#factor-secret")
	ben.Fill("#code", appCode(secret, int64(w.count(`select floor(extract(epoch from clock()))::bigint`))))
	ben.Fill("#password", password)
	ben.Follow(".form-foot .btn-primary")
	ben.Check("recovery codes")
	recovery := strings.Fields(ben.Text("#recovery-codes"))

	// A second browser signs in with the password and an unused code.
	w.Advance(60e9)
	second := browser.NewTab(t)
	signIn(second, "ben@example.com")
	second.WaitText("h1", "Enter the code")
	second.Fill("#code", appCode(secret, int64(w.count(`select floor(extract(epoch from clock()))::bigint`))))
	second.Follow("form[action='/sign-in/code'] .btn-primary")
	second.WaitText(".who", "Ben Okri")
	// A third browser signs in without the lost phone.
	third := browser.NewTab(t)
	signIn(third, "ben@example.com")
	third.Fill("#code", strings.ToUpper(recovery[0]))
	third.Follow("form[action='/sign-in/code'] .btn-primary")
	third.WaitText(".who", "Ben Okri")

	third.Go(at + "/profile")
	third.Follow("form[action='/profile/sessions/revoke-others'] button")
	third.WaitText(".toast", "2 other browsers signed out")
	for _, tab := range []*browsertest.Tab{ben, second} {
		tab.Go(at + "/calls")
		if path := tab.Path(); path != "/sign-in?next=%2Fcalls" {
			t.Errorf("a browser that was signed out is at %s", path)
		}
	}
	for _, tab := range []*browsertest.Tab{ada, ben, second, third} {
		for _, problem := range tab.Problems() {
			t.Errorf("at the end: %s", problem)
		}
	}
}
