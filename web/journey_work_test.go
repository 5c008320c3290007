package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/browsertest"
)

// A manager makes an agent that a language model holds, and talks with it in the browser.
func TestJourneyOfAModeledAgent(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	d.freshModel()
	d.be(d.newPerson("Mia", account.Manager))
	d.visit("/agents/new")
	d.tick("[name=kind][value=model]")
	d.Fill("#name", "June")
	d.Fill("#greeting", "Hello, this is June.")
	d.Wait(`[name="model.instructions"]`)
	d.Fill(`[name="model.instructions"]`, "Ask how the visit was.")
	d.Fill(`[name="questions[0].ask"]`, "Will you come tomorrow?")
	d.Fill(`[name="questions[0].key"]`, "coming")
	d.Check("a new agent with a language model")
	d.Follow(saveForm)
	d.WaitText("h1", "June")
	d.Click("#try button[value=begin]")
	d.WaitText("#try", "Hello, this is June.")
	d.Fill("#say", "Yes, I am.")
	d.Click("#try button[value=say]")
	d.WaitText("#try", "Used the tool record_answer")
	d.Check("a conversation with a language model")
}

// A manager transfers a call that is live.
func TestJourneyOfATransfer(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	call := d.newModeledCall().String()
	d.be(d.newPerson("Mia", account.Manager))
	d.visit("/live")
	d.Follow("tbody a[href*='" + call + "']")
	d.WaitText("main", "Transfer to")
	destination := browsertest.Eval[string](d.Tab,
		`document.querySelector("[name=destination_id]").querySelector("option:not([disabled])").value`)
	d.Fill("[name=destination_id]", destination)
	d.Check("a live call before its transfer")
	d.Follow("form[action$='/transfer'] button, button[formaction$='/transfer']")
	d.WaitText("main", "Transferring the call")
	if n := d.w.count(`select count(*) from call_note where destination_id = $1`, destination); n != 1 {
		t.Errorf("%d transfers", n)
	}
}

// The page of a number tells how healthy it is, and a refused number is tried again.
func TestJourneyOfANumber(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	d.newCall()
	number := d.refusedNumber().String()
	d.be(d.admin)
	d.visit("/phone-numbers")
	d.Follow("tbody a[href='/phone-numbers/" + number + "']")
	d.WaitText("#main", "A falling answer rate can mean that phones label the number as spam.")
	d.WaitText("#main", "Answer rate")
	d.Check("a number that a carrier refuses")
	d.Follow("form[action='/phone-numbers/" + number + "/retry'] button")
	d.WaitText(".toast", "The next calls are placed one at a time until one works")
	d.visit("/phone-numbers/" + d.number.String())
	d.WaitText("#main", "Not measured on the sandbox")
}

// The palette finds a person by name and by a national number, a campaign, an agent and a webhook.
func TestJourneyOfTheSearch(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	campaign := d.newCampaign().String()
	hook := d.newWebhook()
	d.newCall()
	d.w.exec(`update recipient set phone_number = '+16305550137', name = 'Dorothy Castellanos'`)
	d.be(d.admin)
	for _, find := range []struct{ typed, shown, path string }{
		{"dorothy", "Dorothy Castellanos", "/people/"},
		{"(630) 555-0137", "Dorothy Castellanos", "/people/"},
		{"aster spr", "Aster spring", "/campaigns/" + campaign},
		{"aster rob", "Aster Robin", "/agents/" + d.agent.String()},
		{hook.ID.String(), hook.Name, "/webhooks/" + hook.ID.String()},
	} {
		d.visit("/calls")
		d.Do("press Ctrl K", chromedp.KeyEvent("k", chromedp.KeyModifiers(2)))
		d.Wait("#palette[open]")
		d.Fill("#palette .query", find.typed)
		d.WaitText("#palette .is-current", find.shown)
		d.Do("press Enter", chromedp.KeyEvent(kb.Enter))
		d.WaitFor(`location.pathname.startsWith("` + find.path + `")`)
	}
	d.Check("what the search has found")
}

// From the page of a person, an admin adds the number to the do-not-call list, collects the evidence and erases the
// person.
func TestJourneyOfAPersonsRights(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	d.newCampaign()
	d.newCall()
	d.be(d.admin)
	d.visit("/calls")
	d.Follow("tbody a.row-link")
	d.Follow(".page-line a[href^='/people/']")
	person := d.Path()
	d.Follow("a[href^='/do-not-call/new?person=']")
	if got := d.valueOf("#phone_number"); !strings.Contains(got, "500 555 0001") {
		t.Errorf("the number is %q", got)
	}
	d.Follow(saveForm)
	d.WaitText("#main", "Added manually")
	if got := d.Path(); got != person {
		t.Errorf("the form leads to %s", got)
	}
	d.Check("a person on the do-not-call list")
	d.Follow("form[action='/settings/evidence'] button")
	d.WaitText("h1", "Evidence about +1 500 555 0001")
	d.visit(person)
	d.Follow("a[href^='/settings/erasures?person=']")
	d.Fill("#confirm", "erase")
	d.Check("a person before the erasure")
	d.Follow("form[action='/settings/erasures'] .btn-destroy")
	d.WaitText(".toast", "ras")
	if n := d.w.count(`select count(*) from erasure`); n != 1 {
		t.Errorf("%d erasures", n)
	}
}

// Twilio that cannot be reached is a problem of the form, and a city is a hint at its time zone.
func TestJourneyOfAMistake(t *testing.T) {
	t.Parallel()
	// The port of a server that has closed may be another test's soon. Nobody listens on this one.
	d := newDay(t, func(o *app.Options) { o.TwilioURL = "http://127.0.0.1:1" })
	d.be(d.admin)
	d.visit("/settings/organization")
	d.Fill("#time_zone", "Berlin")
	d.Follow(".form-foot button")
	d.WaitText("#time_zone-error", "Did you mean Europe/Berlin?")
	d.Problems()
	d.Check("a time zone that is a city")
	d.Fill("#time_zone", "Europe/Berlin")
	d.Follow(".form-foot button")
	d.WaitText(".toast", "aved")

	d.visit("/settings/integrations/new")
	d.tick("input[name=carrier][value=twilio]")
	d.Fill("#name", "Main account")
	d.Fill("#account", "AC"+strings.Repeat("0a", 16))
	d.Fill("#token", "0123456789abcdef0123456789abcdef")
	d.Follow(saveForm)
	d.WaitText("#problems", "Twilio could not be reached")
	if d.has("#token-error") {
		t.Error("the token is blamed for a network that fails")
	}
	if d.valueOf("#name") != "Main account" {
		t.Error("the form lost its name")
	}
	d.Problems() // Chromium reports the status 422 as a problem
	d.Check("a connection that could not be made")
}

// What a first look had found wrong stays right: states say what happened, times of today have no date, sentences
// survive an empty variable, and texts claim no cause that is unknown.
func TestJourneyOfPlainWords(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	id, call := d.newCampaign(), d.newCall()
	d.w.exec(`update call set campaign_id = $2, recipient_id = (select id from recipient where campaign_id = $2),
		outcome = 'voicemail', ended_reason = 'voicemail_message_left', answered_by = 'machine'
		where id = $1`, call, id)
	d.w.exec(`update recipient set status = 'completed', outcome = 'voicemail', last_call_id = $1, attempts = 1,
		due_at = null, wait_reason = null`, call)
	d.w.exec(`update campaign set status = 'running', started_at = clock(), completed = 1`)
	d.w.exec(`insert into campaign_log_entry (id, organization_id, campaign_id, kind, actor_kind, actor_name, data)
		values ($1, $2, $3, 'calls_not_placed', 'system', 'Dialwright', '{"calls": 4}')`, newID(), d.organization, id)
	d.be(d.admin)
	d.visit("/campaigns/" + id.String())
	d.WaitText("tbody", "Voicemail, message left") // M2
	d.WaitText("main", "4 calls were not placed in time")
	if text := d.Text("main"); strings.Contains(text, "the server") { // M5
		t.Errorf("the log guesses: %s", text)
	}
	if today := d.Text("#log time, [aria-labelledby=log] time, main ol time"); strings.Contains(today, ",") { // M4
		t.Errorf("a time of today is %q", today)
	}
	d.visit("/phone-numbers/" + d.number.String())
	d.WaitText("main", "Not measured on the sandbox") // M6

	d.w.exec(`update agent set script = jsonb_set(script, '{greeting}',
		'"Thank you, {{city}}. If you feel faint, sit."')`)
	d.visit("/agents/" + d.agent.String() + "/try")
	d.WaitText("#try", "Thank you. If you feel faint, sit.") // M3

	d.visit("/settings/members/invite")
	d.Fill("#email", "ben@example.com")
	d.Follow(saveForm)
	d.WaitText("main", "Send this link to ben@example.com") // M19
	d.Check("an invitation that a person sends")
}
