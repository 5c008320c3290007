package web

import (
	"testing"

	"github.com/dialwright/dialwright/internal/account"
)

// An admin gives a system a key that can do one thing from one network, and shortens sessions.
func TestJourneyOfAccess(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	d.be(d.admin)
	d.visit("/settings/api-keys/new")
	d.Fill("#name", "Nightly export")
	d.tick("[name=scopes][value='calls:read']")
	d.WaitFor(`document.querySelector("#all_scopes-0").checked`)
	d.Fill("#networks", "203.0.113.7/24")
	d.Follow(".form-foot .btn-primary")
	d.WaitText("main", "write 203.0.113.0/24")
	d.WaitFor(`document.querySelector("[name=scopes][value='calls:read']").checked`)
	d.Problems() // Chromium reports the status 422 as a problem
	d.Fill("#networks", "203.0.113.0/24\n2001:db8::1")
	d.Follow(".form-foot .btn-primary")
	d.WaitText("main", "Only from 203.0.113.0/24 and 2001:db8::1")
	d.WaitText("tbody", "Calls: read")
	d.Check("a key of one network")
	d.Follow("tbody a[aria-label^='Edit ']")
	d.WaitText("h1", "Edit")
	d.Check("the change of a key")
	d.Fill("#networks", "198.51.100.7")
	d.Follow(".form-foot .btn-primary")
	d.WaitText(".toast", "Key saved")
	d.WaitText("tbody", "Only from 198.51.100.7")

	d.visit("/settings/sign-in")
	d.Fill("#session_hours", "8")
	d.Follow(".form-foot .btn-primary")
	d.WaitText(".toast", "saved")
	if n := d.w.count(`select session_hours from organization where id = $1`, d.organization); n != 8 {
		t.Errorf("sessions last %d hours", n)
	}
}

// A manager ends what goes wrong: pauses a campaign, calls chosen people in another one, has emails sent, tries whether
// an agent hears "stop" in its language, and stops all calling.
func TestJourneyOfTrouble(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	id := d.newCampaign()
	d.w.exec(`update campaign set status = 'running', started_at = clock() where id = $1`, id)
	d.be(d.newPerson("Mia", account.Manager))
	campaign := "/campaigns/" + id.String()
	d.visit(campaign)
	d.Follow("form[action$='/pause'] button")
	d.WaitText(".page-title .badge", "Paused")
	d.Follow("a[href^='" + campaign + "?select=yes']")
	d.Click("[data-check-all] input")
	d.Follow("[value=copy]")
	d.WaitText("h1", "New campaign")
	d.WaitText("#s-recipients, main", "Selected recipients of Aster spring")
	d.Check("a campaign for chosen recipients")
	d.Follow("aside button[value=draft]")
	d.WaitText(".page-title", "Draft")

	d.visit("/alerts/settings")
	d.tick("main form input[type=checkbox]")
	d.Follow(".form-foot .btn-primary")
	d.WaitText(".toast", "saved")

	d.visit("/agents/new")
	d.Fill("#name", "Kasia")
	d.Fill("#language", "pl-PL")
	d.Fill("#greeting", "Dzień dobry, tu {{agent}}.")
	d.Fill(`[name="questions[0].ask"]`, "Czy przyjdzie Pani jutro?")
	d.Click("#try button[value=begin]")
	d.WaitText("#try", "Dzień dobry, tu Kasia.")
	d.Fill("#say", "Proszę przestać do mnie dzwonić")
	d.Click("#try button[value=say]")
	d.WaitText("#try", "Asked not to be called")
	d.Check("an agent that is asked to stop in Polish")

	d.visit("/settings/organization/stop-calling")
	d.Fill("#name", d.name)
	d.Follow("main form .btn-destroy")
	d.WaitText("body", "All calling is stopped")
	d.Check("stopped calling")
}
