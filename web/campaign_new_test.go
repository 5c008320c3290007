package web

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dialwright/dialwright/internal/browsertest"
)

// multi sends a form as a browser sends a form with a file. The fileName "" means a file
// field that was left empty.
func (b *visitor) multi(path string, fields url.Values, fileName string, file io.Reader) *shown {
	b.t.Helper()
	read, write := io.Pipe()
	form := multipart.NewWriter(write)
	go func() {
		write.CloseWithError(func() error {
			for name, values := range fields {
				for _, v := range values {
					if err := form.WriteField(name, v); err != nil {
						return err
					}
				}
			}
			part, err := form.CreateFormFile("file", fileName)
			if err != nil {
				return err
			}
			if file != nil {
				if _, err := io.Copy(part, file); err != nil {
					return err
				}
			}
			return form.Close()
		}())
	}()
	return b.do("POST", path, form.FormDataContentType(), read)
}

// campaignForm returns a sent form with only the required fields filled in.
func (n *tenant) campaignForm(v *visitor, pairs ...string) url.Values {
	n.w.t.Helper()
	page := v.get("/campaigns/new").want(http.StatusOK)
	data := form("id", page.field("id"), "name", "Wellness", "project_id", n.project.String(), "agent_id",
		n.agent.String(), "phone_number_id", n.number.String(),
		"scheduled_at", "", "expires_at", "", "calling_hours", "project", "calling_hours.clock", "recipient",
		"calling_hours.timezone", "",
		"retry.max_attempts", "1", "retry.delays_minutes", "30", "retry.on", "busy", "retry.on", "no_answer",
		"max_concurrency", "10", "calls_per_second", "1",
		"voicemail_action", "hang_up", "ring_timeout_seconds", "30", "max_duration_seconds", "600", "leave_out", "on",
		"action", "create",
		"recipients", "phone_number,name,day\n+15005550001,Olu,Monday\n+15005550002,Mei,Tuesday\n")
	return changed(data, pairs...)
}

func (w *world) campaigns() int { return w.count(`select count(*) from campaign`) }

// Enter in a field of a form that reaches people shows what would happen. It calls nobody.
func TestEnterLooksFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	path := v.multi("/campaigns", n.campaignForm(v), "", nil).want(http.StatusSeeOther).header.Get("Location")
	first := regexp.MustCompile(`(?s)<form class="page-body" method="post"[^>]*>.*?<button([^>]*type="submit"[^>]*)>`)
	for _, form := range []string{"/campaigns/new", "/campaigns/new?from=" + strings.TrimPrefix(path, "/campaigns/"),
		path + "/recipients/new"} {
		button := first.FindStringSubmatch(v.get(form).want(http.StatusOK).body)
		if button == nil || !strings.Contains(button[1], `name="action" value="check"`) {
			t.Errorf("%s: Enter presses %q", form, button)
		}
	}
}

func TestCampaignIsCreated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	data := n.campaignForm(v)
	created := v.multi("/campaigns", data, "", nil).want(http.StatusSeeOther)
	path := created.header.Get("Location")
	v.get(path).want(http.StatusOK).
		has("Campaign created", "Wellness", "0 of 2 recipients done", "Olu", "+1 500 555 0002", "Aster Robin",
			"Created by", "Aster Ada").lacks("Finished")
	if got := value[string](w, `select variables->>'day' from recipient where name = 'Mei'`); got != "Tuesday" {
		t.Errorf("the variable is %q", got)
	}
	// The same form, sent again by a second click or after going back, makes no second
	// campaign.
	v.multi("/campaigns", data, "", nil).leads(path)
	if w.campaigns() != 1 {
		t.Errorf("there are %d campaigns", w.campaigns())
	}
	// The same form ID in another organization gives no access to the campaign.
	other := w.newTenant("Borealis")
	b := other.as(other.admin)
	b.multi("/campaigns", changed(other.campaignForm(b), "id", data.Get("id")), "", nil).
		want(http.StatusUnprocessableEntity).lacks("Aster")

	// Every field of the form reaches the campaign, with times in the organization's time
	// zone.
	year := time.Now().Year() + 1
	data = n.campaignForm(v, "name", "Everything", "call_reason", " Your visit ",
		"scheduled_at", fmt.Sprintf("%d-01-15T09:30", year), "expires_at", fmt.Sprintf("%d-02-01T18:00", year),
		"calling_hours", "custom", "calling_hours.clock", "zone", "calling_hours.timezone", "America/Denver",
		"calling_hours.windows[0].days", "sat", "calling_hours.windows[0].start", "10:00",
		"calling_hours.windows[0].end", "13:00",
		"retry.max_attempts", "3", "retry.delays_minutes", "15, 240", "retry.outcome_delays_minutes.voicemail",
		"60 120", "retry.on", "voicemail", "max_concurrency", "7", "calls_per_second", "0.5",
		"intents.wrong_person", "do_not_call", "intents.call_back", "retry",
		"voicemail_action", "leave_message", "ring_timeout_seconds", "45", "max_duration_seconds", "300",
		"detection.mode", "fast", "detection.timeout_seconds", "20")
	path = v.multi("/campaigns", data, "", nil).want(http.StatusSeeOther).header.Get("Location")
	v.get(path).want(http.StatusOK).
		has("Call reason Your visit", "Starts", "15 Jan", "09:30", "Up to 3 attempts. After voicemail: 1 h, 2 h",
			"Wrong person: add to the do-not-call list", "Asked for a person: no more calls",
			"7 simultaneous calls, 0.5 per second", "Leave a message. Detection: fast, at most 20 s", "45 s",
			"10:00–13:00")
	got := value[string](w, `select concat_ws(' ', scheduled_at at time zone 'America/Chicago',
		expires_at at time zone 'America/Chicago', calling_hours->>'timezone',
		max_attempts, retry_delays, retry_outcome_delays, retry_on, max_concurrency, calls_per_second,
			voicemail_action, ring_timeout_seconds, max_duration_seconds, intents->>'wrong_person',
			intents->>'call_back', intents->>'minor', detection->>'mode', detection->>'timeout_seconds', call_reason)
		from campaign where name = 'Everything'`)
	want := fmt.Sprintf(
		"%d-01-15 09:30:00 %d-02-01 18:00:00 America/Denver 3 {15,240} {\"voicemail\": [60, 120]} {voicemail} 7 0.5 "+
			"leave_message 45 300 do_not_call retry retry fast 20 Your visit",
		year, year,
	)
	if got != want {
		t.Errorf("the campaign is\n%s, want\n%s", got, want)
	}

	// A form without a ticked box means no retries.
	data = n.campaignForm(v, "name", "Once", "retry.max_attempts", "3", "retry.on", "-")
	v.multi("/campaigns", data, "", nil).want(http.StatusSeeOther)
	if on := value[string](w, `select retry_on::text from campaign where name = 'Once'`); on != "{}" {
		t.Errorf("called again on %s", on)
	}
}

// Each refused field shows an error, and the form keeps the other fields.
func TestCampaignFormIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	v := n.as(n.admin)
	for _, c := range []struct{ field, value, at, message string }{
		{"name", " ", "name", ""},
		{"name", strings.Repeat("x", 101), "name", ""},
		{"project_id", "", "project_id", "Required"},
		{"project_id", other.project.String(), "project_id", "No such project"},
		{"agent_id", other.agent.String(), "agent_id", "No such agent"},
		{"agent_id", "nonsense", "agent_id", "No such agent"},
		{"phone_number_id", other.number.String(), "phone_number_id", ""},
		{"call_reason", "Ihr Termin für Montag", "call_reason", "Must contain only ASCII letters"},
		{"scheduled_at", "2020-01-01T10:00", "scheduled_at", "in the past"},
		{"scheduled_at", "tomorrow", "scheduled_at", "Must be a date and a time"},
		{"expires_at", "2020-01-01T10:00", "expires_at", ""},
		{"recipients", "", "recipients", "Paste a list or choose a file"},

		{"retry.max_attempts", "11", "retry.max_attempts", "between 1 and 10"},
		{"retry.max_attempts", "many", "retry.max_attempts", "whole number"},
		{"retry.delays_minutes", "30, soon", "retry.delays_minutes", "whole minutes"},
		{"retry.delays_minutes", "99999", "retry.delays_minutes", "between 0 and"},
		{"retry.outcome_delays_minutes.busy", "5, soon", "retry.outcome_delays_minutes.busy", "whole minutes"},
		{
			"retry.outcome_delays_minutes.failed", "5", "retry.outcome_delays_minutes.failed",
			"this outcome is not retried",
		},
		{"retry.on", "weather", "retry.on", "one of"},
		{"intents.minor", "call_back", "intents.minor", "Must be one of retry, stop, do_not_call"},
		{"max_concurrency", "0", "max_concurrency", "between"},
		{"calls_per_second", "NaN", "calls_per_second", "between"},
		{"voicemail_action", "sing", "voicemail_action", ""},
		{"detection.mode", "wait_for_beep", "detection.mode", "Waits for the beep, which has no effect"},
		{"detection.timeout_seconds", "2", "detection.timeout_seconds", "between 3 and 59"},
		{"ring_timeout_seconds", "1", "ring_timeout_seconds", "between"},
		{"max_duration_seconds", "1e3", "max_duration_seconds", "whole number"},
	} {
		got := v.multi("/campaigns", n.campaignForm(v, c.field, c.value), "", nil)
		got.what += " with " + c.field + " " + c.value
		got.wrong(c.at, c.message).has("problem").lacks("Borealis")
		if c.field != "name" {
			got.has("Wellness")
		}
		if c.field != "project_id" && !got.ticked("project_id", n.project.String()) {
			t.Errorf("%s: the project is not kept", got.what)
		}
		if c.field != "retry.on" && (!got.ticked("retry.on", "busy") || got.ticked("retry.on", "failed")) {
			t.Errorf("%s: the outcomes are not kept", got.what)
		}
	}
	hours := v.multi("/campaigns", n.campaignForm(v, "calling_hours", "custom", "calling_hours.windows[0].days", "sat",
		"calling_hours.windows[0].start", "10:00", "calling_hours.windows[0].end", "09:00"), "", nil)
	hours.want(http.StatusUnprocessableEntity).has("10:00")
	if !strings.Contains(hours.body, `id="calling_hours.windows[0].error"`) {
		t.Errorf("nothing is said about the hours: %s", hours.words())
	}
	if w.campaigns() != 0 {
		t.Fatalf("refused forms made %d campaigns", w.campaigns())
	}
}

// A form begins with one time window and adds another on request, with or without
// scripts. The typed values stay.
func TestTimeWindowsAreAdded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	const start = `name="calling_hours.windows[%d].start" type="time"`
	windows := func(page *shown) (rows int) {
		for strings.Contains(page.body, fmt.Sprintf(start, rows)) {
			rows++
		}
		return rows
	}
	first := v.get("/campaigns/new").want(http.StatusOK).has("Add hours")
	if got := windows(first); got != 1 {
		t.Errorf("a new form has %d windows: %s", got, first.words())
	}
	typed := n.campaignForm(v, "action", "window", "calling_hours.windows[0].days", "sat",
		"calling_hours.windows[0].start", "10:00", "calling_hours.windows[0].end", "00:00")
	second := v.multi("/campaigns", typed, "", nil).want(http.StatusOK).
		has("Wellness", "+1 500 555 0002", "10:00–24:00")
	typed.Set("calling_hours.windows[1].start", "")
	third := v.multi("/campaigns", typed, "", nil).want(http.StatusOK)
	if a, b := windows(second), windows(third); a != 2 || b != 3 ||
		third.field("calling_hours.windows[0].end") != "00:00" {
		t.Errorf("%d and %d windows, the first until %q", a, b, third.field("calling_hours.windows[0].end"))
	}
	project := form("name", "Nights", "time_zone", "Europe/Berlin", "region", "DE", "calling_hours", "custom",
		"calling_hours.clock", "recipient",
		"calling_hours.windows[0].days", "sat", "calling_hours.windows[0].start", "20:00",
		"calling_hours.windows[0].end", "00:00")
	if got := windows(
		v.post("/settings/projects", changed(project, "action", "window")).want(http.StatusOK),
	); got != 2 {
		t.Errorf("the project has %d windows", got)
	}
	v.post("/settings/projects", project).leads("/settings/projects")
	v.get("/settings/projects").has("20:00–24:00, Sat")
}

// A form without a list offers to check the list, and then to start the campaign. The
// button for the summary exists only without scripts.
func TestNewCampaignOffersTheNextStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.get("/campaigns/new").want(http.StatusOK).has("Check the list").lacks("Create campaign", "Update the summary")
	numbers := changed(n.campaignForm(v, "action", "check"), "recipients", "+15005550001\n+15005550002\n")
	page := v.multi("/campaigns", numbers, "", nil).want(http.StatusOK).has("Start 2 calls").
		lacks("Check the list", ">Name</th>", "a shorter list")
	if _, fallback, found := strings.Cut(page.body, "<noscript>"); !found ||
		!strings.Contains(strings.SplitN(fallback, "</noscript>", 2)[0], "Update the summary") {
		t.Error("without scripts the summary cannot be updated")
	}
	named := changed(n.campaignForm(v, "action", "check"), "recipients", "phone_number,name\n+15005550001,Olu\n")
	v.multi("/campaigns", named, "", nil).want(http.StatusOK).has(">Name</th>")
}

// The summary follows the form, its button stays visible, and the browser warns before
// leaving a changed form.
func TestNewCampaignInABrowser(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	n := w.newTenant("Aster")
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.View{Name: "tablet", Width: 1000, Height: 700})
	tab.Go(w.server.URL + "/campaigns/new")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	warns := func(want bool, when string) {
		t.Helper()
		if got := browsertest.Eval[bool](
			tab, `!window.dispatchEvent(new Event("beforeunload", { cancelable: true }))`,
		); got != want {
			t.Errorf("%s: leaving is warned of: %t", when, got)
		}
	}
	warns(false, "an untouched form")
	tab.Fill("#name", "Half filled in")
	warns(true, "a form with a name")
	tab.Fill("#recipients", "+15005550001\n+15005550002\n")
	tab.Click("#check")
	tab.WaitText("#summary-foot", "Start 2 calls")
	warns(true, "a form with a list")
	if browsertest.Eval[bool](
		tab, `document.querySelector("#summary-foot .btn").getBoundingClientRect().bottom > innerHeight`,
	) {
		t.Error("the button is out of reach at the top of the form")
	}
	// A change while the summary is loading is not lost in its swap.
	browsertest.Eval[bool](tab, `document.addEventListener("htmx:beforeRequest", () => {
		const attempts = document.querySelector('[name="retry.max_attempts"]')
		attempts.value = "3"
		attempts.dispatchEvent(new Event("change", { bubbles: true }))
	}, { once: true }) === undefined`)
	tab.Fill("#scheduled_at", "2030-01-01T09:00")
	tab.WaitText("#summary-foot", "Schedule 2 calls")
	tab.WaitText("#summary", "Maximum calls")
	tab.Check("a list in a form of middle width")
	tab.Screenshot("campaign-new-tablet")
	for _, problem := range tab.Problems() {
		t.Errorf("at the end: %s", problem)
	}
}

// What is wrong with a row stands in the preview in full, beside wide columns.
func TestReasonsOfWrongRowsAreReadable(t *testing.T) {
	t.Parallel()
	w := newProduct(t)
	n := w.newTenant("Aster")
	tab := browsertest.Open(t).NewTab(t)
	tab.Emulate(browsertest.Views[0])
	tab.Go(w.server.URL + "/campaigns/new")
	tab.Fill("#email", n.admin.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.Fill("#recipients", "phone_number,name,timezone,email,appointment_date,department,doctor\n"+
		"+15005550001,Margaret Oyelaran-Achterberg,,margaret.oyelaran-achterberg@example.com,Monday 23 November,"+
		"Cardiology and vascular medicine,Dr. Sorensen-Villanueva\n"+
		"4.917E+11,Wolfeschlegelsteinhausenbergerdorff,,winston.abara.the.second@example.com,Monday,Radiology,Amin\n"+
		"+15005550003,Mei,Mars/Olympus,"+strings.Repeat("x", 60)+",Monday,Radiology,Amin\n")
	tab.Click("#check")
	tab.WaitText("#list", "2 rows need fixing")
	for _, v := range []browsertest.View{browsertest.Views[0], browsertest.Views[2]} {
		tab.Emulate(v)
		cut := browsertest.Eval[[]string](tab, `(() => {
			const box = document.querySelector(".preview");
			const right = box.getBoundingClientRect().left + box.clientWidth;
			return [...box.querySelectorAll("td.next")].filter((cell) => {
				const text = document.createRange();
				text.selectNodeContents(cell);
				return text.getBoundingClientRect().right > right + 0.5;
			}).map((cell) => cell.innerText);
		})()`)
		if len(cut) > 0 {
			t.Errorf("%s: the list cuts off %q", v.Name, cut)
		}
		tab.Screenshot("list-wrong-rows-" + v.Name)
	}
}

const badList = "phone_number,name,day\n" +
	"+15005550001,Olu,Monday\n" +
	"12,=cmd()|x,Monday\n" +
	",Numberless,Monday\n" +
	"+15005550001,Olu again,Monday\n" +
	"+15005550003,Opted,Monday\n" +
	"@SUM(1),Formula,Monday\n" +
	"+15005550002,Mei,Tuesday\n"

// kept returns the fields by which a form refers to its stored list.
func kept(data url.Values, p *shown) url.Values {
	return changed(data, "recipients", "", "upload", p.field("upload"), "rejected", p.field("rejected"))
}

func (w *world) uploads() int { return w.count(`select count(*) from upload`) }

func TestACheckedListTellsWhoHasNoConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	check := func() *shown {
		return v.multi("/campaigns", n.campaignForm(v, "action", "check", "recipients",
			"phone,consent,consent_at\n+15005550001,web form,2026-01-02\n+15005550002,,\n"), "", nil).
			want(http.StatusOK)
	}
	check().has("Start 2 calls").lacks("No consent")
	w.exec(`update organization set consent_required = true where id = $1`, n.organization)
	check().has("No consent, will be skipped", "1 without consent", "Start 1 call")
}

func TestListIsChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	w.exec(
		`insert into do_not_call (id, organization_id, phone_number, source) values ($1, $2, '+15005550003', 'user')`,
		newID(), n.organization,
	)
	v := n.as(n.admin)

	// An uploaded file replaces the pasted text. Checking a list creates no campaign.
	data := n.campaignForm(v)
	checked := v.multi("/campaigns", changed(data, "action", "check"), "wellness.csv", strings.NewReader(badList)).
		want(http.StatusOK)
	checked.has("wellness.csv", "7 rows, UTF-8, separated by commas", "2 of 7 will be called", "3 rows need fixing",
		"2 skipped: 1 duplicate, 1 on the do-not-call list",
		"On the do-not-call list, will be skipped", "Duplicate, will be skipped", "empty",
		"Download all with their reasons", "Skip 3 invalid rows", "Start 2 calls",
		"Wellness", "Tuesday", "Now", "+1 500 555 0001", "{{day}}", "Assumes calls of 1 min")
	for _, row := range []string{"3 12", "4 empty"} {
		if !strings.Contains(plain(checked.body), row) {
			t.Errorf("row %q is not shown: %s", row, checked.words())
		}
	}
	if !checked.ticked("column.0", "phone_number") || !checked.ticked("column.1", "name") ||
		!checked.ticked("column.2", "variable") || !checked.ticked("header", "on") {
		t.Error("what the columns are is not shown")
	}
	// National numbers are read by the project's region.
	w.exec(`update project set region = 'DE' where id = $1`, n.project)
	v.multi("/campaigns", n.campaignForm(v, "action", "check", "recipients", "phone\n030 901820\n"), "", nil).
		want(http.StatusOK).has("1 row, UTF-8", "+49 30 901820", "Start 1 call").lacks("separated by")
	w.exec(`update project set region = 'US' where id = $1`, n.project)
	// Checking a list reports no errors for fields that are still empty.
	v.multi("/campaigns", n.campaignForm(v, "action", "check", "name", "", "project_id", ""), "", nil).
		want(http.StatusOK).
		has("Pasted list", "2 rows", "Choose a project to see when").lacks("to correct")
	v.multi("/campaigns", n.campaignForm(v, "action", "check", "recipients", ""), "", nil).
		has("Paste a list or choose a file")
	if w.campaigns() != 0 {
		t.Fatal("checking made a campaign")
	}

	// The rejected rows are available as a file. A spreadsheet opens it safely, it has
	// all cells, and a person can correct and upload it.
	data = kept(data, checked)
	file := v.multi("/campaigns", changed(data, "action", "rejected"), "", nil).want(http.StatusOK)
	if got := file.header.Get("Content-Disposition"); got != `attachment; filename=rows-to-fix.csv` {
		t.Errorf("Content-Disposition is %q", got)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.body, "\uFEFF"))).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("the file is %q: %v", file.body, err)
	}
	for i, want := range [][]string{
		{"row", "reason", "phone_number", "name", "day"}, {"3", "", "12", "'=cmd()|x", "Monday"},
		{"4", "", "", "Numberless", "Monday"}, {"7", "", "'@SUM(1)", "Formula", "Monday"},
	} {
		if i > 0 && rows[i][1] == "" {
			t.Errorf("row %d has no reason", i)
		} else if i > 0 {
			rows[i][1] = ""
		}
		if fmt.Sprint(rows[i]) != fmt.Sprint(want) {
			t.Errorf("row %d is %q, want %q", i, rows[i], want)
		}
	}
	again := strings.Replace(file.body, ",12,", ",+15005550044,", 1)
	v.multi("/campaigns", n.campaignForm(v, "action", "check"), "again.csv", strings.NewReader(again)).
		has("1 of 3 will be called", "2 rows need fixing")

	// Rejected rows stop the campaign until the person has seen them and agreed to leave
	// them out. The others are then called.
	checked.has("Recipients: replace the list or skip 3 invalid rows")
	if checked.ticked("leave_out", "on") {
		t.Error("to leave them out is decided before anybody chose it")
	}
	unseen := v.multi("/campaigns", n.campaignForm(v, "recipients", badList), "", nil).
		wrong("recipients", "3 invalid rows").has("2 of 7 will be called", "Pasted list")
	if unseen.ticked("leave_out", "on") {
		t.Error("to leave them out is decided before anybody chose it")
	}
	checked = v.multi("/campaigns", n.campaignForm(v, "action", "check"), "wellness.csv", strings.NewReader(badList)).
		want(http.StatusOK)
	data = kept(n.campaignForm(v, "leave_out", "-"), checked)
	refused := v.multi("/campaigns", data, "", nil).wrong("recipients", "3 invalid rows").
		has("2 of 7 will be called", "wellness.csv")
	if refused.ticked("leave_out", "on") {
		t.Error("they are left out although they were to stay")
	}
	v.multi("/campaigns", changed(data, "leave_out", "on", "rejected", "2"), "", nil).
		wrong("recipients", "3 invalid rows")
	if w.campaigns() != 0 {
		t.Fatal("a list with mistakes made a campaign")
	}
	// An error in another field does not lose the list.
	data.Set("leave_out", "on")
	v.multi("/campaigns", changed(data, "name", ""), "", nil).wrong("name", "").
		has("wellness.csv", "2 of 7 will be called")
	before := w.uploads()
	path := v.multi("/campaigns", data, "", nil).want(http.StatusSeeOther).header.Get("Location")
	v.get(path).has("2 of 4 recipients done", "Olu again", "duplicate", "on the do-not-call list",
		"3 rows of the list had errors and were left out").
		lacks("Numberless", "Formula")
	if w.uploads() != before-1 {
		t.Error("the list is kept although it is in the campaign")
	}
	// The second request finds the campaign of the first request. The list no longer
	// exists.
	v.multi("/campaigns", data, "", nil).leads(path)

	for file, want := range map[string]string{
		"PK\x03\x04\x00\x00binary":     "This is a spreadsheet file",
		"+15005550001\n+15005550002\n": "2 of 2 will be called",
		"name\nOlu\n":                  "No column looks like phone numbers",
		"phone_number\nnone\n":         "0 of 1 will be called",
		"\xff\xfep\x00h\x00o\x00n\x00e\x00\n\x00" +
			"+\x001\x005\x000\x000\x005\x005\x005\x000\x000\x000\x001\x00": "1 of 1 will be called",
	} {
		v.multi("/campaigns", n.campaignForm(v, "recipients", "", "action", "check"), "list.csv",
			strings.NewReader(file)).want(http.StatusOK).has(want)
	}
	v.multi("/campaigns", n.campaignForm(v, "recipients", "name\nOlu\n"), "", nil).
		wrong("recipients", "No column looks like").has("Wellness")
	v.multi("/campaigns", n.campaignForm(v, "recipients", "phone_number\nnone\n"), "", nil).
		wrong("recipients", "No row is valid")
}

// A person can choose the meaning of columns. A new list needs a new choice.
func TestColumnsAreSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	data := n.campaignForm(v, "action", "check")
	file := "Wer;Büro;Handy\r\nOlu;12;(500) 555-0001\r\nMei;13;500 555 0002\r\n"
	shown := v.multi("/campaigns", data, "liste.csv", strings.NewReader(file)).want(http.StatusOK).
		has("separated by semicolons", "2 of 2 will be called", "from (500) 555-0001", "{{wer}}")
	data = changed(kept(data, shown), "header", "on", "header_before", "on", "column.0", "name", "column.1",
		"external_id", "column.2", "phone_number")
	shown = v.multi("/campaigns", data, "", nil).want(http.StatusOK).has("Olu", "Mei", "2 of 2 will be called").
		lacks("Pasted list")
	if !shown.ticked("column.0", "name") || !shown.ticked("column.1", "external_id") {
		t.Error("what was said of the columns is not kept")
	}
	v.multi("/campaigns", changed(data, "column.1", "phone_number"), "", nil).
		has("Two columns are set to phone number. Keep only one", "liste.csv")
	// Without a header, the first row is a recipient.
	v.multi("/campaigns", changed(data, "header", "-"), "", nil).has("1 row needs fixing", "Column 1", "3 rows")
	// The choices for the first list do not apply to another list.
	v.multi("/campaigns", data, "other.csv", strings.NewReader("phone,name\n+15005550009,Sam\n")).
		has("other.csv", "1 of 1 will be called", "Sam")
	if w.uploads() != 1 {
		t.Errorf("%d lists are kept", w.uploads())
	}
	shown = v.multi("/campaigns", data, "liste.csv", strings.NewReader(file))
	data = changed(kept(data, shown), "header", "on", "header_before", "on", "column.0", "name", "column.1",
		"external_id", "column.2", "phone_number")
	v.multi("/campaigns", changed(data, "action", "create"), "", nil).want(http.StatusSeeOther)
	if got := value[string](
		w,
		`select string_agg(concat_ws(' ', name, external_id, phone_number, variables), ', ' order by name)
			from recipient`,
	); got != "Mei 13 +15005550002 {}, Olu 12 +15005550001 {}" {
		t.Errorf("the recipients are %q", got)
	}
	shown = v.multi("/campaigns", changed(n.campaignForm(v), "action", "check"), "", nil)
	v.multi("/campaigns", kept(n.campaignForm(v, "action", "replace"), shown), "", nil).want(http.StatusOK).
		has("Choose a CSV file", "Wellness").lacks("Olu")
	if w.uploads() != 1 { // the list other.csv of an abandoned form
		t.Errorf("%d lists are kept", w.uploads())
	}
}

// Only its owner can use an uploaded list, and only until it expires.
func TestListIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	shown := v.multi("/campaigns", n.campaignForm(v, "action", "check"), "", nil)
	data := kept(n.campaignForm(v), shown)
	other := w.newTenant("Borealis")
	b := other.as(other.admin)
	b.multi("/campaigns", kept(other.campaignForm(b), shown), "", nil).wrong("recipients", "Choose it again").
		lacks("Olu")
	w.Advance(7 * time.Hour)
	w.exec(`update user_session set expires_at = clock() + interval '1 day', last_seen_at = clock()`)
	v.multi("/campaigns", data, "", nil).wrong("recipients", "The list was deleted after 6 hours. Choose it again").
		has("Wellness")
	if w.campaigns() != 0 {
		t.Error("a list that is gone made a campaign")
	}
}

func TestLargeLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	var list bytes.Buffer
	list.WriteString("phone_number,name\n")
	for i := range 100_000 {
		fmt.Fprintf(&list, "+1500%07d,Recipient %d\n", 5_550_000+i, i)
	}
	data := n.campaignForm(v, "recipients", "")
	checked := v.multi("/campaigns", changed(data, "action", "check"), "large.csv", bytes.NewReader(list.Bytes())).
		want(http.StatusOK)
	checked.has("100,000 rows", "Start 100,000 calls")
	path := v.multi("/campaigns", kept(data, checked), "", nil).want(http.StatusSeeOther).header.Get("Location")
	v.get(path).has("0 of 100,000 recipients done", "Recipient 0", "Recipient 24")

	list.WriteString("+15005550000,One too many\n")
	v.multi("/campaigns", changed(n.campaignForm(v), "recipients", ""), "large.csv", bytes.NewReader(list.Bytes())).
		wrong("recipients", "At most 100,000 rows")
	if w.campaigns() != 1 {
		t.Errorf("there are %d campaigns", w.campaigns())
	}
}

// endless returns as many bytes as a reader wants.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '1'
	}
	return len(p), nil
}

func TestTooLargeList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	v := n.as(n.admin)
	v.multi("/campaigns", n.campaignForm(v, "recipients", ""), "huge.csv", io.LimitReader(endless{}, 65<<20)).
		want(http.StatusRequestEntityTooLarge).has("larger than 64 MiB", "too large")
	// A person without the right to create campaigns is refused before the list is read.
	n.as(n.staff).multi("/campaigns", form("name", "x"), "small.csv", strings.NewReader("x")).want(http.StatusForbidden)
	v.do("POST", "/campaigns", "multipart/form-data; boundary=x", strings.NewReader("--x\r\nbroken")).
		want(http.StatusUnprocessableEntity)
}
