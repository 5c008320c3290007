package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/browsertest"
	whatsapp "github.com/dialwright/dialwright/internal/messaging/sandbox"
	"github.com/dialwright/dialwright/internal/page"
	"github.com/dialwright/dialwright/web/messages"
)

// A person connects an account, sees its numbers, and sends a template message that
// arrives.
func TestMessagingJourney(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	n := w.newTenant("Aster")
	at := w.server.URL
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(at + "/sign-in?next=/messaging")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.Check("messaging of nothing")
	tab.Follow(".empty .btn-primary")
	tab.Fill("#name", "Aster account")
	tab.Fill("#account", whatsapp.Account250)
	tab.Fill("#token", "not-the-token")
	tab.Fill("#app_secret", whatsappToken)
	tab.Follow(".form-foot button.btn-primary")
	tab.WaitText("#token-error", "WhatsApp rejected")
	tab.Problems() // the browser reports the refused form as a problem
	tab.Fill("#token", whatsappToken)
	tab.Fill("#app_secret", whatsappToken)
	tab.Follow(".form-foot button.btn-primary")
	tab.WaitText("h1", "Aster account")
	tab.WaitText("tbody", "+1 312 555 0122")
	tab.Check("account")

	tab.Go(at + "/messaging")
	tab.WaitText(".limit-row", "250 available")
	tab.Check("messaging")
	tab.Follow(".page-head .btn-primary")
	tab.Fill("#template_id", value[string](w,
		`select id::text from messaging_template where name = 'follow_up' and language = 'en_US'`))
	tab.Follow(".form-foot button.btn-primary")
	tab.Fill("#to_number", "+15005009000")
	for key, words := range map[string]string{"header.1": "Olu", "1": "Olu", "2": "Nora"} {
		tab.Fill(`[name="variables.`+key+`"]`, words)
	}
	tab.Check("form of a message")
	tab.Follow(".btn[name=action][value=preview]")
	tab.WaitText(".message", "Hello Olu, thank you for talking to Nora today.")
	tab.Follow(".form-foot button.btn-primary")
	tab.WaitText("h1", "+1 500 500 9000")
	tab.WaitText(".badge", "Read") // the badge changes without a reload
	for _, step := range []string{"Queued", "Sent", "Delivered", "Read"} {
		tab.WaitText(".timeline", step)
	}
	tab.Check("message")
	tab.Go(at + "/messaging/messages")
	tab.WaitText("tbody", "Read")
	tab.Check("messages")
	tab.Go(at + "/messaging")
	tab.WaitText(".limit-row", "249 available")

	if got := w.operator.Sends(); len(got) != 1 || got[0].Recipient != "+15005009000" {
		t.Errorf("the operator was asked to send %+v", got)
	}
}

// No page and no log contains credentials. Only admins see the verify token.
func TestWhatsAppSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	made := v.post("/settings/integrations/whatsapp",
		form("name", "Aster account", "account", whatsapp.Account250, "token", whatsappToken, "app_secret",
			whatsappToken, "verify_token", "verify-me-4711"))
	made.want(http.StatusSeeOther)
	path := made.header.Get("Location")
	v.get(path).want(http.StatusOK).has("verify-me-4711", "Care team").lacks(whatsappToken)
	for _, at := range []string{path + "/edit", "/settings/integrations", "/messaging", "/"} {
		v.get(at).want(http.StatusOK).lacks(whatsappToken, "verify-me-4711")
	}
	n.as(n.staff).get(path).want(http.StatusOK).has("Care team").lacks("verify-me-4711", whatsappToken)
	if got := w.count(
		`select count(*) from messaging_connection c where position($1 in c::text) > 0`, whatsappToken,
	); got != 0 {
		t.Error("the token is not sealed")
	}
	if log := w.log.String(); strings.Contains(log, whatsappToken) || strings.Contains(log, "verify-me-4711") {
		t.Error("a secret is in the log")
	}

	// Empty fields keep the stored values. A wrong token changes nothing.
	v.post(path, form("name", "Renamed")).leads(path)
	v.get(path).has("Renamed", "verify-me-4711")
	v.post(path, form("name", "Renamed again", "token", "wrong")).wrong("token", "WhatsApp rejected").lacks("wrong\"")
	v.post(path+"/refresh", form()).leads(path)
	v.get(path).has("Renamed", "Account refreshed")

	// Only one organization can connect an account.
	other := w.newTenant("Borealis")
	other.as(other.admin).post("/settings/integrations/whatsapp",
		form("name", "Mine", "account", whatsapp.Account250, "token", whatsappToken, "app_secret", whatsappToken)).
		want(http.StatusUnprocessableEntity).has("already connected").lacks("Renamed")

	v.get(path + "/disconnect").has("Sent messages stay in the log")
	v.post(path+"/disconnect", form()).leads(messages.IntegrationsPath)
	v.get(path).want(http.StatusOK).has("Disconnected").lacks("verify-me-4711")
	v.get(messages.IntegrationsPath).lacks("Renamed")
}

func TestWhatsAppForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	good := form("name", "Aster", "account", whatsapp.Account250, "token", whatsappToken, "app_secret", whatsappToken)
	for what, c := range map[string][]string{
		"name": {"name", "Required"}, "account": {"account", "digits only"}, "token": {"token", "Required"},
		"app_secret": {"app_secret", "Required"},
	} {
		got := v.post("/settings/integrations/whatsapp", changed(good, what, "-"))
		got.what += " without " + what
		got.wrong(c...)
	}
	if err := w.operator.SetTrouble(whatsapp.Account250, whatsapp.Trouble{Kind: whatsapp.Down}); err != nil {
		t.Fatal(err)
	}
	v.post("/settings/integrations/whatsapp", good).want(http.StatusUnprocessableEntity).
		has("can't be reached right now. Nothing was saved")
	if got := w.count(`select count(*) from messaging_connection`); got != 0 {
		t.Errorf("%d accounts were saved", got)
	}
}

// The pages explain that the channel is off, and still show earlier messages.
func TestMessagingOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *app.Options) { o.WhatsApp.Off = true })
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	for _, at := range []string{
		"/messaging", "/messaging/templates", "/messaging/messages", "/messaging/messages/new",
		"/settings/integrations",
		"/settings/integrations/whatsapp/new", "/phone-numbers/new",
	} {
		v.get(at).want(http.StatusOK).has("switched off on this server", "DIALWRIGHT_WHATSAPP=true")
	}
	v.post("/settings/integrations/whatsapp", form("name", "Aster", "account", whatsapp.Account250, "token", "t",
		"app_secret", "s")).
		want(http.StatusUnprocessableEntity).has("Messaging channel not configured")
}

// The form of a message says why there is nothing to send, and leads to what mends it.
func TestNothingToSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	const page = "/messaging/messages/new"
	way := `href="/settings/integrations/whatsapp/new?return=%2Fmessaging%2Fmessages%2Fnew"`
	n.as(n.admin).get(page).want(http.StatusOK).has("No WhatsApp account is connected", way).
		lacks("template is approved")
	n.as(n.staff).get(page).want(http.StatusForbidden)
	manager := n.as(n.newPerson("Max", account.Manager))
	manager.get(page).want(http.StatusOK).has("No WhatsApp account is connected", "An admin sets this up.").lacks(way)
	n.newWhatsApp()
	n.as(n.admin).get(page).has("Choose a template").lacks("No WhatsApp account")
	w.exec(`update messaging_template set status = 'PENDING', content = content || '{"status": "PENDING"}'`)
	n.as(n.admin).get(page).has("No template is approved yet").lacks("No WhatsApp account")
	n.noWhatsApp()
	n.as(n.admin).get(page).has("No WhatsApp account is connected", way)
}

func TestSendOneMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	c := n.newWhatsApp()
	template := n.template(c, "follow_up", "en_US")
	at := "/messaging/messages/new?template_id=" + template.String()
	good := form("id", v.get(at).want(http.StatusOK).
		field("id"), "template_id", template.String(), "external_id", whatsapp.Number250, "to_number", "+15005559000",
		"variables.header.1", "Olu", "variables.1", "Olu <b>", "variables.2", "Nora")
	for what, wrong := range map[string]struct {
		field, value string
		want         []string
	}{
		"no number":               {"to_number", "-", []string{"to_number", "Required"}},
		"an empty variable":       {"variables.1", " ", []string{"variables.1", "Must not be empty"}},
		"another's number":        {"external_id", whatsapp.Number1K, []string{"external_id", "No WhatsApp number"}},
		"no value for a variable": {"variables.2", "-", []string{"variables.2", "Is missing"}},
	} {
		got := v.post("/messaging/messages", changed(good, wrong.field, wrong.value))
		got.what += " with " + what
		got.wrong(wrong.want...).has(`value="Olu"`)
	}
	v.post("/messaging/messages", changed(good, "action", "preview")).want(http.StatusOK).
		has("Hello Olu <b>, thank you")
	n.w.exec(
		`insert into do_not_call (id, organization_id, channel, phone_number, source)
			values ($1, $2, 'message', '+15005559001', 'message')`,
		newID(), n.organization,
	)
	v.post("/messaging/messages", changed(good, "to_number", "+15005559001")).want(http.StatusUnprocessableEntity).
		has("do-not-call list for messages")
	if got := w.count(`select count(*) from message`); got != 0 {
		t.Fatalf("%d messages were made of wrong forms", got)
	}

	// A form that is sent twice makes one message.
	first := v.post("/messaging/messages", good).want(http.StatusSeeOther)
	path := first.header.Get("Location")
	v.post("/messaging/messages", good).leads(path)
	if got := w.count(`select count(*) from message`); got != 1 {
		t.Errorf("one form made %d messages", got)
	}
	v.get(path).want(http.StatusOK).has("Hello Olu <b>, thank you", "Queued", "Aster Ada", "Cancel message")
	filtered := path + "?filter=status%3Dqueued"
	question := path + "/cancel?return=" + url.QueryEscape(filtered)
	v.get(filtered).has(`href="` + question + `"`)
	v.get(question).has("A canceled message is never sent", `action="`+question+`"`, `href="`+filtered+`"`)
	v.get(path+"/cancel").has("A canceled message is never sent", `href="`+path+`"`)
	v.post(question, form()).leads(filtered)
	v.get(path).has("Canceled").lacks("Cancel message")
	v.post(path+"/cancel", form()).want(http.StatusConflict)
}

var olderMessages = regexp.MustCompile(`href="([^"]+)"[^>]*>\s*Older`)

// The list of messages has filters and pages.
func TestMessagesFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newMessage()
	number := value[string](w, `select id::text from messaging_number where disconnected_at is null`)
	w.exec(
		`update message set phone_number = '+13125550142', template_name = 'offer', status = 'failed', due_at = null,
			ended_at = clock(), error = 'not on WhatsApp'`,
	)
	const more = 30
	w.exec(`insert into message (id, organization_id, number_id, scope_id, lane, phone_number, template_name,
		template_language, due_at, created_at)
		select gen_random_uuid(), organization_id, number_id, scope_id, lane, '+1312555' || 1000 + i, 'heads_up',
			'en_US', clock(), clock() - i * interval '1 minute'
		from message, generate_series(1, $1) i`, more)
	v := n.as(n.staff)
	for query, found := range map[string]bool{
		"status=failed": true, "status=read": false, "template=offer": true, "template=nothing": false,
		"to_number=%2B1+312+555+0142": true, "to_number=%2B1+312+555+0143": false,
		"to_number=50142": true, "to_number=555-01": true, "to_number=50143": false,
		"number_id=" + number + "&status=failed": true, "number_id=" + newID().String(): false,
	} {
		got := v.get("/messaging/messages?" + query).want(http.StatusOK)
		if found {
			got.has("+1 312 555 0142", "Not on WhatsApp")
		} else {
			got.lacks("+1 312 555 0142").has("No message matches these filters")
		}
	}
	for query, message := range map[string]string{
		"to_number=12": "Must be a phone number, or three or more digits of one", "status=lost": "", "number_id=x": "",
	} {
		v.get("/messaging/messages?"+query).want(http.StatusUnprocessableEntity).has(message, "Clear filters").
			lacks("+1 312 555 0142")
	}
	failed := "/messaging/messages/" + value[string](w, `select id::text from message where status = 'failed'`)
	v.get("/messaging/messages?status=failed").has(`href="` + failed + `?filter=status%3Dfailed"`)
	v.get(failed + "?filter=status%3Dfailed").has(`href="/messaging/messages?status=failed"`)
	rows, at := 0, "/messaging/messages"
	for at != "" {
		p := v.get(at).want(http.StatusOK)
		rows += strings.Count(p.body, "row-link")
		at = ""
		if older := olderMessages.FindStringSubmatch(p.body); older != nil {
			at = html.UnescapeString(older[1])
		}
	}
	if rows != more+1 {
		t.Errorf("the pages show %d messages of %d", rows, more+1)
	}
}

// The badge and the overview name used-up limits and failing accounts, and clear when
// quota is available again.
func TestMessagingTrouble(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.staff)
	c := n.newWhatsApp()
	n.newCampaign() // without a campaign the overview shows the first steps
	v.get("/").lacks("to check")
	w.exec(`insert into messaging_ledger (scope_id, phone_number, counted_at, asked_at)
		select scope_id, '+1312' || 5550000 + i, clock() - interval '23 hours', clock()
			from messaging_number, generate_series(1, 250) i`)
	setLimit := func(limit int) {
		w.exec(
			`update messaging_scope set recipients = 250, tier_limit = $1 where id = (select scope_id
				from messaging_number)`,
			limit,
		)
	}
	setLimit(1000)
	v.get("/").lacks("may still start", "has used up")
	setLimit(312) // four fifths of the limit are used
	v.get("/").has("62 available", "Nothing needs your attention").lacks("Used up")
	setLimit(250)
	v.get("/messaging").has("0 available", "Used up", "250 of 250", "More available at", "1 to check")
	v.get("/").has("1 to check", "250 of 250 conversations of the last 24 hours are used")
	w.exec(
		`update messaging_connection
			set last_error = 'the token is expired or not valid (190)', last_error_at = clock() where id = $1`,
		c.ID,
	)
	v.get("/").has("2 to check", "WhatsApp not sending", "the token is expired")
	v.get("/settings/integrations/whatsapp/"+c.ID.String()).
		has("the token is expired", "An admin can create a new token")

	// The next send deletes old ledger rows. Until then, the limit ignores messages
	// outside the window.
	w.Advance(2 * time.Hour)
	v.get("/messaging").has("250 available", "0 of 250").lacks("Used up")
	v.get("/").has("1 to check").lacks("has used up")
}

// Numbers that share a limit appear under one limit.
func TestSharedLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	n.newWhatsApp()
	v := n.as(n.staff)
	v.get("/messaging").has("250 available").lacks("business portfolio")
	w.exec(`insert into messaging_number (id, organization_id, connection_id, scope_id, external_id, name, status)
		select $1, organization_id, connection_id, scope_id, '200000000000009', 'Second', 'CONNECTED'
			from messaging_number`, newID())
	got := v.get("/messaging").has("These 2 numbers share one limit for the business portfolio", "Second")
	if count := strings.Count(got.body, "250 available"); count != 1 {
		t.Errorf("the limit is shown %d times", count)
	}
	foreign := newID()
	w.exec(
		`insert into messaging_connection (id, organization_id, name, account, credentials)
			values ($1, $2, 'Theirs', '99999', '')`,
		foreign, other.organization,
	)
	w.exec(`insert into messaging_number (id, organization_id, connection_id, scope_id, external_id, name)
		select $1, $2, $3, scope_id, '200000000000010', 'Borealis number' from messaging_number limit 1`, newID(),
		other.organization, foreign)
	v.get("/messaging").has("These 2 numbers and others outside this organization share one limit").lacks("Borealis")
}

// A phone number can be linked to a WhatsApp number of the same organization.
func TestPhoneNumberWithWhatsApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	v := n.as(n.admin)
	path := "/phone-numbers/" + n.number.String()
	v.get(path).has("No WhatsApp account is connected yet")
	n.newWhatsApp()
	v.get(path).has("Care team, +1 312 555 0122")
	v.post(path, form("name", "Front desk", "messaging_external_id", whatsapp.Number1K)).
		wrong("messaging_external_id", "No such WhatsApp number")
	v.post(path, form("name", "Front desk", "messaging_external_id", whatsapp.Number250)).
		leads("/phone-numbers")
	v.get("/phone-numbers").has("· WhatsApp")
	theirs := other.as(other.admin)
	theirs.post("/phone-numbers/"+
		other.number.String(), form("name", "Mine", "messaging_external_id", whatsapp.Number250)).
		wrong("messaging_external_id", "No such WhatsApp number")

	// The link to a disconnected number stays until a person chooses another number.
	n.noWhatsApp()
	v.get(path).has("200000000000001, disconnected")
	v.post(path, form("name", "Back office", "messaging_external_id", whatsapp.Number250)).
		leads("/phone-numbers")
	v.post(path, form("name", "Back office", "messaging_external_id", "")).leads("/phone-numbers")
	list, err := w.app.Projects.PhoneNumbers(t.Context(), n.organization, false, page.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Data) != 1 || list.Data[0].MessagingExternalID != nil {
		t.Errorf("the number is still linked: %+v", list.Data)
	}
}
