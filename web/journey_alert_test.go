package web

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/mail"
	"github.com/dialwright/dialwright/internal/mail/mailtest"
)

// inMail finds addresses of the dashboard in an email.
var inMail = regexp.MustCompile(`http://[^\s]+`)

// readable is the text of an email as a person reads it.
func readable(m mailtest.Message) string {
	return strings.NewReplacer("=\r\n", "", "=\n", "", "=3D", "=", "\r", "").Replace(m.Data)
}

// A manager chooses emails, gets one about a carrier that is suspended and one about new follow-ups, follows their
// links, and reads the digests.
func TestJourneyOfAlertEmails(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	sender, err := mail.New(mail.Options{Addr: server.Addr, From: "dial@example.com", TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(o *app.Options) { o.Mail = sender })
	n := w.newTenant("Aster")
	// The first digest is of today, and calls of the last hours are today's from noon on.
	hour := value[int](w, `select extract(hour from clock() at time zone time_zone)::int from organization`)
	w.Advance(time.Duration((24+12-hour)%24) * time.Hour)
	d := &day{tenant: n, Tab: browsertest.Open(t).NewTab(t), at: w.server.URL}
	d.Emulate(browsertest.Views[0])
	mia := n.newPerson("Mia", account.Manager)
	d.be(mia)
	d.visit("/alerts")
	d.Follow("a[href='/alerts/settings']")
	d.WaitText("main", "New follow-ups")
	d.tick("#digest-on")
	d.tick("#weekly-on")
	d.Check("the choice of emails")
	d.Screenshot("journey-alert-settings")
	d.Follow(".form-foot .btn-primary")
	d.WaitText(".toast", "Alert settings saved")

	// pass moves the clock, opens alerts and sends emails, and returns those to the manager.
	pass := func(by time.Duration) (texts []string) {
		t.Helper()
		before := len(server.Taken())
		if err := w.app.Alerts.Watch(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.Advance(by)
		for {
			sent, err := w.app.Alerts.Send(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if sent == 0 {
				break
			}
		}
		for _, m := range server.Taken()[before:] {
			if m.To == mia.email {
				texts = append(texts, readable(m))
			}
		}
		return texts
	}
	w.exec(`insert into connection (id, organization_id, kind, name, account, credentials)
		values (gen_random_uuid(), $1, 'twilio', 'Clinic line', 'AC5', '')`, n.organization)
	w.exec(`insert into connection_check (connection_id, organization_id, name, state, detail, checked_at)
		select id, organization_id, 'account', 'failed', 'the account is suspended', clock() from connection
		where name = 'Clinic line'`)
	mails := pass(time.Minute)
	if len(mails) != 1 || !strings.Contains(mails[0], "Subject: Carrier failing: Clinic line") ||
		!strings.Contains(mails[0], "Account: the account is suspended.") {
		t.Fatalf("%q", mails)
	}
	d.Go(inMail.FindString(mails[0]))
	d.WaitText("h1", "Integrations")
	d.WaitText("main", "Clinic line")
	d.visit("/alerts")
	d.WaitText("main", "Carrier failing: Clinic line")

	n.newFollowUp()
	n.newFollowUp()
	mails = pass(31 * time.Minute)
	if len(mails) != 1 || !strings.Contains(mails[0], "Subject: New follow-ups") ||
		!strings.Contains(mails[0], "2 open follow-ups have no assignee.") {
		t.Fatalf("%q", mails)
	}
	d.visit("/alerts")
	d.WaitText("main", "New follow-ups")
	d.Check("open alerts")
	d.Screenshot("journey-alerts")
	d.Go(inMail.FindString(mails[0]))
	d.WaitText("h1", "Follow-ups")
	if rows := browsertest.Eval[int](d.Tab, `document.querySelectorAll("tbody tr").length`); rows != 2 {
		t.Errorf("the link of the email lists %d follow-ups", rows)
	}

	if err := call.Recount(t.Context(), w.Pool, n.organization); err != nil {
		t.Fatal(err)
	}
	var digest, week string
	for range 9 * 8 {
		for _, text := range pass(3 * time.Hour) {
			switch {
			case strings.Contains(text, "Subject: Aster: 2 calls in the week of "):
				week = text
			case strings.Contains(text, "Subject: Aster: 2 calls on "):
				digest = text
			}
		}
	}
	for _, want := range []string{
		"2 calls\n2 were answered by a person", "Follow-ups: 2 open", "Carrier failing: Clinic line",
	} {
		if !strings.Contains(digest, want) {
			t.Errorf("no %q in the digest %s", want, digest)
		}
	}
	for _, want := range []string{"Calls: 2 (the week before: 0)", "Follow-ups open now: 2"} {
		if !strings.Contains(week, want) {
			t.Errorf("no %q in the digest of the week %s", want, week)
		}
	}
	for _, problem := range d.Problems() {
		t.Errorf("at the end: %s", problem)
	}
}

// Staff make a follow-up from a call and find it by its due time, save filters, search for the person's words only, and
// see a new call in the list without a reload.
func TestJourneyOfDailyLists(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	call := d.newCall()
	d.be(d.staff)
	d.visit("/calls/" + call.String())
	d.Follow("main a[href$='/follow-ups/new']")
	d.Fill("#reason", "Send the invoice again")
	d.Fill("#due_at", "2031-05-05T10:00")
	d.Follow("form[action$='/follow-ups'] .btn-primary")
	d.WaitText(".toast", "Follow-up created")
	d.WaitText("main", "Send the invoice again")
	late := d.newFollowUp()
	d.w.exec(`update follow_up set due_at = clock() - interval '1 hour' where id = $1`, late)

	// By due time: one is overdue, and one is due much later.
	rows := func() int { return browsertest.Eval[int](d.Tab, `document.querySelectorAll("tbody tr").length`) }
	d.visit("/follow-ups")
	d.WaitText("tbody", "Send the invoice again")
	if n := rows(); n != 2 {
		t.Errorf("%d follow-ups are listed", n)
	}
	choose := func(name, value string) {
		t.Helper()
		browsertest.Eval[bool](d.Tab, `(() => { document.querySelector("main [role=search] [name=`+name+`]").value = "`+
			value+`"; return true; })()`)
		d.Follow("main [role=search] button.btn")
	}
	choose("due", "overdue")
	d.WaitText("tbody", "Overdue")
	if text := d.Text("tbody"); rows() != 1 || strings.Contains(text, "invoice") {
		t.Errorf("overdue: %s", text)
	}

	// The filter gets a name, and leads back from the whole list.
	d.Click("details.more:has([action='/saved-filters']) summary")
	d.Fill("form[action='/saved-filters'] [name=name]", "Late ones")
	d.Check("a filter to save")
	d.Follow("form[action='/saved-filters'] .btn")
	d.WaitText(".toast", "Filter saved")
	d.visit("/follow-ups")
	d.Follow("nav[aria-label='Saved filters'] a")
	d.WaitText("tbody", "Overdue")
	if n := rows(); n != 1 {
		t.Errorf("the saved filter lists %d follow-ups", n)
	}

	// The selected ones get an assignee, which can be undone.
	d.Click("[data-check-all] input")
	d.Check("selected follow-ups")
	d.Screenshot("journey-follow-ups-selected")
	d.Follow("#selection [formaction='/follow-ups/assign']")
	d.WaitText(".toast", "1 follow-up assigned")
	d.WaitText("tbody", "Aster Sam")
	d.Follow(".toast form button")
	d.WaitText(".toast", "1 follow-up assigned as before")
	d.WaitText("tbody", "Nobody")
	d.Follow("nav[aria-label='Saved filters'] ~ form button, form[action$='/delete'] button")
	d.WaitText(".toast", "Saved filter deleted")

	// A word that one person said, and in another call the agent
	other := d.newCall()
	d.w.exec(`update call set transcript_text = E'Agent: Hello.\nRecipient: Was that refunded?' where id = $1`, call)
	d.w.exec(`update call set transcript_text = E'Agent: It was refunded.\nRecipient: Good.',
		recipient_name = 'Agent said it' where id = $1`, other)
	d.visit("/calls")
	d.Fill("input[name=q]", "refund")
	d.Follow("form[role=search] button.btn")
	d.WaitText("tbody mark", "refunded")
	if text := d.Text("tbody"); strings.Contains(text, "Agent said it") || !strings.Contains(text, "Aster Olu") {
		t.Errorf("in the person's words only: %s", text)
	}
	d.Check("a search in the person's words")
	d.visit("/calls?q=refund&said_by=anyone")
	d.WaitText("tbody", "Agent said it")

	// A new call appears by itself.
	d.visit("/calls")
	browsertest.Eval[bool](d.Tab, "window.loadedOnce = true")
	live := d.newLiveCall()
	d.Wait("tbody a[href='/calls/" + live.String() + "']")
	d.WaitText("tbody", "In progress")
	if !browsertest.Eval[bool](d.Tab, "window.loadedOnce === true") {
		t.Error("the page was loaded anew")
	}
	d.Check("live calls in the list")
}

// A webhook that failed once raises no alarm. Several deliveries are resent at once when the endpoint works again, and
// a test can have another event type.
func TestJourneyOfDeliveries(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	n := w.newTenant("Aster")
	receiver := newEndpoint(t)
	d := &day{tenant: n, Tab: browsertest.Open(t).NewTab(t), at: w.server.URL}
	d.Emulate(browsertest.Views[0])
	d.be(n.admin)
	d.visit("/webhooks/new")
	d.Fill("#name", "EHR bridge")
	d.Fill("#url", receiver.URL+"/in")
	d.Click("input[name=events][value='campaign.*']")
	d.Follow(".form-foot button.btn-primary")
	d.Follow(".secret-value a")
	d.WaitText("h1", "EHR bridge")
	hook := d.Path()
	test := func(event string) {
		t.Helper()
		d.visit(hook + "/test")
		if event != "" {
			browsertest.Eval[bool](d.Tab, `(() => { document.querySelector("[name=event_type]").value = "`+event+
				`"; return true; })()`)
		}
		d.Follow(".form-foot button.btn-primary")
		d.WaitText(".toast", "Sending the test")
	}

	// One failure of a real event is no alarm.
	n.newCampaign()
	d.visit(hook)
	d.WaitText("tbody", "503 Service Unavailable")
	d.WaitText("tbody", "campaign.scheduled")
	if err := w.app.Alerts.Watch(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.has(".page-title .badge-failed, .notice-failed") || strings.Contains(d.Text(".page-title"), "Failing") {
		t.Errorf("after one failure: %s", d.Text("main"))
	}
	d.visit("/alerts")
	d.WaitText("main", "Nothing needs your attention")
	d.visit("/")
	if text := d.Text("main"); strings.Contains(text, "Webhook failing") {
		t.Errorf("the overview after one failure: %s", text)
	}

	// A test of another type is sent with its example.
	test("call.completed")
	d.visit(hook)
	d.WaitText("tbody", "call.completed")
	test("")
	d.visit(hook)
	d.WaitText("tbody", "webhook.test")
	d.WaitFor(`[...document.querySelectorAll("tbody tr")].filter((r) => r.innerText.includes("503")).length === 3`)

	// All three are resent together.
	receiver.mend()
	d.Follow("main a[href*='select=yes']")
	d.Click("[data-check-all] input")
	d.WaitText("[data-selected-count]", "3 deliveries selected")
	d.Check("selected deliveries")
	d.Screenshot("journey-deliveries-selected")
	d.Follow("#selection button.btn")
	d.WaitText(".toast", "Resending 3 deliveries")
	d.visit(hook)
	d.WaitFor(`[...document.querySelectorAll("tbody tr")].filter((r) => r.innerText.includes("200 OK")).length === 3`)
	receiver.mu.Lock()
	bodies := receiver.bodies
	receiver.mu.Unlock()
	types := map[string]int{}
	for _, body := range bodies {
		for _, event := range []string{"campaign.scheduled", "call.completed", "webhook.test"} {
			if strings.Contains(strings.ReplaceAll(string(body), ": ", ":"), `"type":"`+event+`"`) {
				types[event]++
			}
		}
	}
	// A test is not retried. The other one may have been, by its schedule.
	if types["call.completed"] != 2 || types["webhook.test"] != 2 || types["campaign.scheduled"] < 2 {
		t.Errorf("received %v", types)
	}
	for _, problem := range d.Problems() {
		t.Errorf("at the end: %s", problem)
	}
}

// A manager makes follow-ups of the recipients whom a campaign did not reach.
func TestJourneyOfUnreachedRecipients(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	id, call := d.campaignOf("", "Ben"), d.newCall()
	d.w.exec(`alter table recipient disable trigger user`)
	d.w.exec(`update recipient set status = 'failed', outcome = 'no_answer', attempts = 2, due_at = null,
		last_call_id = $1 where name = 'Ben'`, call)
	d.w.exec(`alter table recipient enable trigger user`)
	d.be(d.newPerson("Mia", account.Manager))
	d.visit("/campaigns/" + id + "?select=yes")
	d.Click("[data-check-all] input")
	d.Check("recipients to follow up")
	d.Screenshot("journey-recipients-selected")
	d.Follow("[value=follow_up]")
	d.WaitText("main", "Create follow-ups for 3 recipients?")
	d.Check("the question before follow-ups are created")
	d.Screenshot("journey-recipients-follow-up")
	d.Follow("#confirm .btn-primary")
	d.WaitText(".toast", "1 follow-up created. 2 skipped: a call is left")
	d.visit("/follow-ups?kind=unreached")
	d.WaitText("tbody", "Not reached in 2 calls. The last one was not answered")

	d.visit("/campaigns/" + id + "?select=yes")
	d.Click("[data-check-all] input")
	d.Follow("[value=prioritize]")
	d.WaitText(".toast", "2 recipients called first")
	d.Follow(".toast form button")
	d.WaitText(".toast", "2 recipients no longer called first")
	if status := d.w.count(`select count(*) from recipient where prioritized_at is not null`); status != 0 {
		t.Errorf("%d recipients are called first", status)
	}
}
