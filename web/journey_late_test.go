package web

import (
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// A form that is sent after the session has ended is answered with the sign-in form.
// Its sender sees the entries after the sign-in and sends them again, with scripts and
// without.
func TestJourneyOfALateForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	at := w.server.URL
	tab := browsertest.Open(t).NewTab(t)
	signIn := func(password string) {
		t.Helper()
		tab.Fill("#email", n.admin.email)
		tab.Fill("#password", password)
		tab.Follow("form[action='/sign-in'] button.btn-primary")
	}
	tab.Go(at + "/sign-in")
	signIn(password)
	for _, scripts := range []bool{true, false} {
		name := "Late, without scripts"
		if scripts {
			name = "Late, with scripts"
		}
		tab.Scripts(scripts)
		tab.Go(at + "/settings/projects/new")
		tab.Fill("#name", name)
		tab.Fill("#time_zone", "America/Denver")
		tab.Click("#calling_hours-always")
		w.exec(`delete from user_session`)
		tab.Follow(".form-foot .btn-primary")
		tab.WaitText("form[action='/sign-in']", "You were signed out, so nothing was saved")
		tab.Problems() // Chromium reports the status 401 as a problem
		if scripts {
			tab.Check("a sign-in in place")
			tab.Screenshot("late-form-sign-in")
		}
		signIn("not the password")
		tab.WaitText("form[action='/sign-in']", "Wrong email address or password")
		tab.Problems()
		signIn(password)
		tab.WaitText("main", "Send it again?")
		tab.WaitText("dl.late-form", name)
		if n := w.count(`select count(*) from project where name = $1`, name); n != 0 {
			t.Fatalf("%s: signing in has sent it", name)
		}
		if scripts {
			tab.Check("a late form")
			tab.Screenshot("late-form")
		}
		tab.Follow(".form-foot .btn-primary")
		tab.WaitText("main", name)
		if n := w.count(`select count(*) from project where name = $1 and time_zone = 'America/Denver'`, name); n != 1 {
			t.Errorf("%s: it was not carried out", name)
		}
	}
}

// A request for a part of a page after the session has ended gets the sign-in form as a
// whole page. The browser does not warn about leaving the first page.
func TestJourneyOfALatePartOfAPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	tab := browsertest.Open(t).NewTab(t)
	tab.Become(w.server.URL, n.as(n.admin).client.Jar.Cookies(w.origin()))
	tab.Go(w.server.URL + "/campaigns/new")
	tab.Fill("#name", "Spring visits")
	w.exec(`delete from user_session`)
	tab.Fill("#recipients", "phone_number,name\n+15005550001,Olu\n")
	tab.Click("#check")
	tab.WaitText("main", "You were signed out, so nothing was saved")
	tab.WaitFor(`scrollY === 0`)
	const page = `document.title + ", " + document.querySelectorAll("main, nav").length`
	if got := browsertest.Eval[string](tab, page); got != "Sign in · Dialwright, 1" {
		t.Errorf("the page is %s", got)
	}
	tab.Problems()
	tab.Check("a sign-in in place of a page")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.WaitText("dl.late-form", "Spring visits")
	tab.Follow(".form-foot .btn-primary")
	tab.WaitText("main", "All rows are valid")
	if got := browsertest.Eval[string](tab, `document.getElementById("name").value`); got != "Spring visits" {
		t.Errorf("the name is %q", got)
	}
}
