package web

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// A form that is sent after the session has ended is there again, filled in, when
// its sender has signed in, with scripts and without.
func TestJourneyOfALateForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	at := w.server.URL
	tab := browsertest.Open(t).NewTab(t)
	signIn := func() {
		t.Helper()
		tab.Fill("#email", n.admin.email)
		tab.Fill("#password", password)
		tab.Follow("form[action='/sign-in'] button.btn-primary")
	}
	tab.Go(at + "/sign-in")
	signIn()
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
		signIn()
		if !strings.HasPrefix(tab.Path(), "/settings/projects/new?kept=") {
			t.Fatalf("%s: it leads to %s", name, tab.Path())
		}
		tab.WaitText("#kept", "You were signed out")
		if scripts {
			tab.Check("a form that is back")
			tab.Screenshot("late-form")
			if got := browsertest.Eval[string](tab, "[...document.querySelectorAll('#name, #time_zone, input[name=calling_hours]:checked')].map((f) => f.value).join()"); got != name+",America/Denver,always" {
				t.Errorf("%s: it holds %s", name, got)
			}
		}
		tab.Follow(".form-foot .btn-primary")
		if n := w.count(`select count(*) from project where name = $1 and time_zone = 'America/Denver'`, name); n != 1 {
			t.Errorf("%s: it was not carried out", name)
		}
	}
}
