package web

import (
	"strings"
	"testing"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// A newcomer without a project begins with the form of a campaign. From there, each thing that is missing is made, also
// after an error or without scripts, and the form comes back with everything typed.
func TestNewcomerBeginsWithACampaign(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	tabs := browsertest.Open(t)
	tab := tabs.NewTab(t)
	tab.Emulate(browsertest.Views[0])
	w.setUp(tab)
	w.exec(`update project set deactivated_at = clock()`)
	const save, lacks, discard = ".form-foot button.btn-primary", "button[name=make]", ".form-foot a.btn-quiet"
	kept := func(step string) {
		t.Helper()
		tab.WaitText("h1", "New campaign")
		got := browsertest.Eval[string](tab, `["name", "retry.max_attempts", "calls_per_second", "call_reason"]
			.map((n) => document.getElementsByName(n)[0].value).join("|") + "|" +
			document.querySelector("main").innerText.includes("Pasted list")`)
		if got != "Visits in June|3|20|Your visit|true" {
			t.Errorf("after %s, the form has %s", step, got)
		}
		tab.Check("the form of a campaign after " + step)
	}
	tab.Go(w.server.URL + "/campaigns/new")
	tab.Fill("#name", "Visits in June")
	tab.Fill("#call_reason", "Your visit")
	tab.Fill(`[name="retry.max_attempts"]`, "3")
	tab.Fill("#calls_per_second", "20")
	tab.Click("input[name=calling_hours][value=always]")
	tab.Fill("#recipients", "phone_number,name\n+15005000001,Olu Adeyemi\n")

	tab.Follow(lacks + "[value='/settings/projects/new']")
	tab.Follow(discard) // a second thought
	kept("a project that was discarded")
	tab.Follow(lacks + "[value='/settings/projects/new']")
	tab.Fill("#name", "Reminders")
	browsertest.Eval[any](tab, `document.querySelector("form.page-body, main form").noValidate = true`)
	tab.Fill("#name", "")
	tab.Follow(save)
	tab.WaitText("#problems", "1 field needs fixing")
	tab.Problems() // the browser reports the answer with the errors
	tab.Fill("#name", "Reminders")
	tab.Follow(save)
	kept("the project")

	// An agent that lacks a destination, which lacks nothing any more
	tab.Follow(lacks + "[value='/agents/new']")
	tab.Fill("#name", "Nora")
	tab.Fill("#greeting", "Hello {{name|there}}, this is Nora.")
	tab.Fill(`[name="questions[0].ask"]`, "Will you come?")
	tab.Fill(`[name="questions[0].key"]`, "coming")
	tab.Follow(lacks + "[value='/settings/destinations/new']")
	tab.Fill("#name", "Front desk")
	tab.Fill("#address", "+13125550161")
	tab.Follow(save)
	tab.WaitFor(`document.getElementById("greeting")?.value === "Hello {{name|there}}, this is Nora."`)
	if got := browsertest.Eval[string](tab, `document.getElementsByName("questions[0].ask")[0].value +
		document.getElementById("transfer.destinations").innerText`); !strings.Contains(got, "Will you come?") ||
		!strings.Contains(got, "Front desk") {
		t.Errorf("the agent came back with %s", got)
	}
	tab.Fill("#greeting", "")
	browsertest.Eval[any](tab, `document.getElementById("agent").noValidate = true`)
	tab.Follow(save)
	tab.WaitText("#problems", "1 field needs fixing")
	tab.Problems() // the browser reports the answer with the errors
	tab.Fill("#greeting", "Hello, this is Nora.")
	tab.Follow(save)
	kept("the agent")

	// A number without scripts, which lacks a connection
	tab.Scripts(false)
	tab.Follow(lacks + "[value='/phone-numbers/new']")
	tab.Fill("#phone_number", "+15005559000")
	tab.Follow(lacks + "[value='/settings/integrations/new']")
	tab.Follow(discard)
	if got := browsertest.Eval[string](tab, `document.getElementById("phone_number").value`); got != "+15005559000" {
		t.Errorf("after a connection that was discarded, the number is %q", got)
	}
	tab.Follow(lacks + "[value='/settings/integrations/new']")
	tab.Click("input[name=carrier][value=sandbox]")
	tab.Fill("#name", "Sandbox")
	tab.Follow(save)
	tab.Follow(save)
	tab.Scripts(true)
	tab.Go(w.server.URL + browsertest.Eval[string](tab, "location.pathname + location.search"))
	kept("the number")
	tab.Screenshot("newcomer-campaign")
	tab.Follow("aside button[value=draft]")
	tab.WaitText("h1", "Visits in June")
	tab.Check("the draft")
	tab.Go(w.server.URL + "/")
	tab.WaitText("main", "The draft “Visits in June” has 1 recipient")
	tab.Check("the first steps with a draft")
	tab.Screenshot("newcomer-steps")
	tab.Follow("a[href^='/campaigns/'].btn-primary")
	tab.Follow("form[action$='/start'] button")
	tab.WaitText(".page-title .badge", "Completed")

	// Its duplicate has the list, which can be looked at first.
	tab.Follow("a[href^='/campaigns/new?from=']")
	tab.WaitText("main", "Use the list of the original campaign")
	tab.Click("#check")
	tab.WaitText("main", "1 of 1 will be called")
	tab.Check("a duplicate with its list")
	tab.Screenshot("duplicate-checked")
	tab.Follow("aside button[value=draft]")
	tab.WaitText("#progress", "1 recipient")
}
