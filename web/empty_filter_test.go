package web

import (
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// The address of a filtered list names only the filters in force.
func TestEmptyFiltersLeaveTheAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/calls?agent_id=&outcome=no_answer&q=").leads("/calls?outcome=no_answer")
	v.get("/calls?outcome=&outcome=busy").leads("/calls?outcome=busy")
	v.get("/follow-ups?q=").leads("/follow-ups")
	v.get("/follow-ups?").leads("/follow-ups")
	v.get("/calls?outcome=no_answer").want(200)

	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(w.server.URL + "/sign-in")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	const sent = `new URLSearchParams(new FormData(document.querySelector("main form[role=search]"))).toString()`
	for _, scripts := range []bool{true, false} {
		tab.Scripts(scripts)
		tab.Go(w.server.URL + "/settings/audit-log")
		tab.Wait("main form[role=search]")
		if scripts {
			tab.WaitFor(sent + ` === ""`)
		}
		tab.Follow("main form[role=search] button.btn")
		tab.WaitFor(`location.search === ""`)
	}
}
