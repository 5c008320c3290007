package web

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// After a sign-out, the Back button shows none of the earlier pages.
func TestBackAfterSignOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(w.server.URL + "/settings/members")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.WaitText("main", n.staff.email)
	tab.Follow("form[action='/sign-out'] button")
	tab.WaitText("main", "You are signed out")
	tab.Back()
	if text := tab.Text("body"); strings.Contains(text, n.staff.email) {
		t.Fatalf("the page shown is private: %s", text)
	}
	tab.Wait("form[action='/sign-in'] #email")
}

// The setup form proposes the time zone of the browser.
func TestSetUpProposesTheTimeZone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	code, err := w.accounts.OpenSetup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const zone = "Pacific/Auckland"
	tab := browsertest.Open(t).NewTab(t)
	tab.TimeZone(zone)
	tab.Go(w.server.URL + "/setup?code=" + code)
	tab.WaitFor(`document.getElementById("time_zone").value === "` + zone + `"`)
	tab.Fill("#organization", "Aster")
	tab.Fill("#name", "Ada")
	tab.Fill("#email", "ada@example.com")
	tab.Fill("#password", "short")
	tab.Fill("#time_zone", "Pacific/Chatham")
	tab.Follow("form[action='/setup'] button") // the form comes back, because the password is refused
	tab.WaitText("form", "12 characters")
	if got := browsertest.Eval[string](tab, `document.getElementById("time_zone").value`); got != "Pacific/Chatham" {
		t.Errorf("the time zone that was typed became %q", got)
	}
	tab.Fill("#password", password)
	tab.Follow("form[action='/setup'] button")
	tab.WaitText("h2", "No campaigns yet")
	if got := value[string](w, `select time_zone from organization`); got != "Pacific/Chatham" {
		t.Errorf("the time zone of the organization is %q", got)
	}
}
