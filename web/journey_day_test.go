package web

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/app"
	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/call"
	"github.com/dialwright/dialwright/internal/carrier"
	"github.com/dialwright/dialwright/internal/project"
)

// day is an organization whose members use one browser in turn. Its carrier accepts every call.
type day struct {
	*tenant
	*browsertest.Tab
	at string
}

func newDay(t *testing.T, set ...func(*app.Options)) *day {
	t.Helper()
	w := newWorld(t, append([]func(*app.Options){func(o *app.Options) {
		o.Carriers = func(context.Context, uuid.UUID) (carrier.Carrier, error) { return taker{}, nil }
	}}, set...)...)
	d := &day{tenant: w.newTenant("Aster"), Tab: browsertest.Open(t).NewTab(t), at: w.server.URL}
	d.Emulate(browsertest.Views[0])
	t.Cleanup(func() {
		if !t.Failed() {
			for _, problem := range d.Problems() {
				t.Errorf("at the end: %s", problem)
			}
		}
	})
	return d
}

// be signs a member in.
func (d *day) be(p person) { d.Become(d.at, d.as(p).client.Jar.Cookies(d.w.origin())) }

// visit opens a page of the dashboard.
func (d *day) visit(path string) { d.Go(d.at + path) }

// tick sets a box or a radio button as a click does.
func (d *day) tick(selector string) {
	browsertest.Eval[bool](d.Tab, `(() => { document.querySelector(`+"`"+selector+"`"+`).click(); return true; })()`)
}

// Staff finish a follow-up, review a call, take a number off the lists, and read what they may not change.
func TestJourneyOfStaff(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	d.newCampaign()
	followUp := d.newFollowUp()
	d.be(d.staff)

	// The follow-up, its call and back
	d.visit("/follow-ups")
	d.Follow("a[href='/follow-ups/" + followUp.String() + "']")
	d.Fill("#note", "Rang twice")
	d.Follow("button[formaction$='/take']")
	d.WaitText(".toast", "assigned to you")
	d.WaitText("#note", "Rang twice")
	d.Check("a follow-up")
	d.Follow("main a[href^='/calls/']:not([href*='new'])")
	d.WaitText("h1", "Aster Olu")

	// The review of the call, by a tag
	d.tick("#reviewed-on")
	d.Fill("#tags", "Complaint")
	d.Fill("#note", "Asked for Tuesday")
	d.Follow("form[action$='/review'] button")
	d.WaitText(".toast", "Review saved")
	d.Check("a reviewed call")
	d.visit("/calls?tag=Complaint")
	d.WaitText("tbody", "Aster Olu")
	d.visit("/follow-ups/" + followUp.String())
	d.Follow("button[formaction$='/done'], form[action$='/done'] button")
	d.WaitText(".toast", "done")

	// Who asks on the phone is put on the do-not-call list.
	d.visit("/do-not-call/new")
	d.Fill("#phone_number", "(312) 555-0142")
	d.Fill("#note", "Asked at the desk")
	d.Follow(".form-foot .btn-primary")
	d.WaitText("tbody", "+1 312 555 0142")

	// The script and the calling hours are there to read.
	d.visit("/agents/" + d.agent.String())
	d.WaitText("main", "Well?")
	if d.has("main form textarea") {
		t.Error("staff can change an agent")
	}
	d.visit("/settings/projects")
	d.WaitText("main", "Aster reminders")
	d.visit("/settings/members")
	d.Check("who may do what")
	d.WaitText("main", "Manager")
}

// has reports whether an element is on the page.
func (d *day) has(selector string) bool {
	return browsertest.Eval[bool](d.Tab, "document.querySelector(`"+selector+"`) !== null")
}

// A manager maps the columns of a list, tries it and the agent on their own phone, changes a campaign that runs, calls
// the people again who were not reached, and sees when people answer.
func TestJourneyOfAManager(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	d.w.exec(`update agent set script = jsonb_set(script, '{greeting}', '"Hello {{first_name}}, here is Robin."')
		where id = $1`, d.agent)
	if _, err := d.w.app.Projects.PublishAgent(t.Context(), d.actor(), d.agent, project.Publishing{}); err != nil {
		t.Fatal(err)
	}
	d.be(d.newPerson("Mia", account.Manager))

	// A list whose column is named otherwise than the variable of the agent
	list := filepath.Join(t.TempDir(), "visits.csv")
	const rows = "Telefon,Vorname\n+15005000001,Olu\n+15005000002,\n"
	if err := os.WriteFile(list, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	d.visit("/campaigns/new")
	d.Fill("#name", "Spring visits")
	d.Do("choose a file", chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{list}))
	d.WaitText("aside", "1 person has no {{first_name}}")
	d.WaitText("aside", "Aster Robin says: “Hello, here is Robin.”")
	if got := d.valueOf("[name='column.1']"); got != "variable:first_name" {
		t.Errorf("the column of first names is %q", got)
	}
	d.Check("a list with a missing value")

	// On a phone the steps and the next action are in reach.
	d.Emulate(browsertest.Views[2])
	d.Wait("#summary-foot .btn-primary")
	d.Wait("nav[aria-label='Steps of the form'] a[href='#s-hours']")
	d.Check("a list on a phone")
	d.Emulate(browsertest.Views[0])

	// A test call with the first row, and back to what was typed and to the call
	d.Follow("aside button[value=test]")
	d.WaitText("h1", "Call me")
	if got := d.valueOf("[name='variables.first_name']"); got != "Olu" {
		t.Errorf("the test call says %q", got)
	}
	d.Fill("#to_number", "+15005000009")
	d.Check("a test call with a row of the list")
	d.Follow(".form-foot .btn-primary")
	d.WaitFor(`document.getElementById("name")?.value === "Spring visits"`)
	d.WaitText("#test-calls a[href^='/calls/']", "+1 500 500 0009")
	if n := d.w.count(`select count(*) from call where person_number = '+15005000009'`); n != 1 {
		t.Errorf("%d test calls", n)
	}
	d.Follow("aside button[value=draft]")
	d.WaitText(".page-title", "Draft")

	// A campaign that runs changes its pace, and its log says who changed it.
	id := d.newCampaign()
	d.w.exec(`update campaign set status = 'running', started_at = clock() where id = $1`, id)
	campaign := "/campaigns/" + id.String()
	d.visit(campaign)
	d.Follow("a[href='" + campaign + "/edit']")
	d.Fill("#max_concurrency", "3")
	d.tick("[id='calling_hours-custom']")
	before := d.windows()
	d.Click("#add-window")
	d.WaitFor("document.querySelectorAll('.window').length === " + string(rune('0'+before+1)))
	d.Check("a campaign with one more window of hours")
	d.tick("[id='calling_hours-always']")
	d.Follow(".form-foot .btn-primary")
	d.WaitText(".toast", "Campaign changed")
	d.WaitText("main", "Aster Mia")

	// Who was not reached is called again by a draft.
	canceled := d.canceledCampaign()
	d.visit("/campaigns/" + canceled.String())
	d.Click("main a[href$='/retry']")
	d.WaitText("dialog #confirm-title", "Call 1 recipient again?")
	d.Follow("dialog button.btn-primary")
	d.WaitText("h1", "Aster spring (retry)")

	// When people answer, and what waits: an alert of a campaign that paused itself
	d.newCall()
	if err := call.Recount(t.Context(), d.w.Pool, d.organization); err != nil {
		t.Fatal(err)
	}
	d.visit("/analysis")
	d.WaitFor(`document.querySelectorAll(".heatmap rect").length > 0`)
	d.WaitText("main", "Campaigns compared")
	d.Check("when people answer")
	d.w.exec(`update campaign set status = 'paused', pause_reason = '20 calls in a row failed' where id = $1`, id)
	if err := d.w.app.Alerts.Watch(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.visit("/")
	d.WaitText("#attention, section", "Campaign paused: Aster spring")
	d.visit("/alerts")
	d.Follow("main a[href='" + campaign + "']")
	d.WaitText("h1", "Aster spring")

	// The agent's voice is heard on the own phone, from a tab of its own.
	d.visit("/agents/" + d.agent.String())
	d.Check("the editor of an agent")
	browsertest.Eval[bool](d.Tab, `document.querySelector("button[value=hear]").removeAttribute("formtarget") ?? true`)
	d.Follow("button[value=hear]")
	d.WaitText("h1", "Hear this voice")
	d.Check("a call that lets hear a voice")

	// Live calls are listed, with their words beside them.
	live := d.newLiveCall()
	d.visit("/live?call=" + live.String())
	d.WaitText("main", "Aster Olu")
	d.Check("live calls")
}

// windows counts the rows of calling hours.
func (d *day) windows() int {
	return browsertest.Eval[int](d.Tab, "document.querySelectorAll('.window').length")
}

// valueOf returns the value of a field.
func (d *day) valueOf(selector string) string {
	return browsertest.Eval[string](d.Tab, "document.querySelector(`"+selector+"`).value")
}

// An admin requires consent, keeps closed days, imports a do-not-call list, subscribes to another, collects the
// evidence about a number, and requires two-step sign-in.
func TestJourneyOfAnAdmin(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	d.newCall()
	d.be(d.admin)
	d.visit("/settings/compliance")
	d.tick("#consent_required-on")
	d.Follow("form[action$='/consent'] button")
	d.WaitText(".toast", "Consent saved")
	d.tick("#holidays-on")
	d.Fill("#closed_days", "12-24 Christmas Eve")
	d.Follow("form[action$='/rules'] button")
	d.WaitText(".toast", "Rules saved")
	d.Check("the rules of an organization")

	list := filepath.Join(t.TempDir(), "do-not-call.csv")
	if err := os.WriteFile(list, []byte("phone\n+13125550142\n+13125550143\nnobody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.visit("/do-not-call/import")
	d.Do("choose a file", chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{list}))
	d.Follow("form[action='/do-not-call/import'] .btn-primary")
	d.WaitText("main", "2 numbers")
	d.Check("a do-not-call list before it is added")
	d.Follow("button[value=add]")
	d.WaitText("tbody", "+1 312 555 0143")

	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "phone\n+13125550144\n+13125550145\n")
	}))
	t.Cleanup(registry.Close)
	d.visit("/do-not-call")
	d.Follow("a[href='/do-not-call/lists']")
	d.Follow("main .btn-primary")
	d.Fill("#name", "National registry")
	d.Fill("#url", registry.URL)
	d.Follow(".form-foot .btn-primary")
	d.WaitText("tbody", "Not fetched yet")
	if n, err := d.w.app.Lists.FetchDue(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d lists were fetched: %v", n, err)
	}
	d.visit("/do-not-call/lists")
	d.WaitText("tbody", "Up to date")
	d.Check("the do-not-call lists that are fetched by schedule")
	d.visit("/do-not-call")
	d.WaitText("tbody", "+1 312 555 0145")

	d.visit("/calls")
	d.Follow("tbody a.row-link")
	d.Follow("form[action='/settings/evidence'] button")
	d.WaitText("h1", "Evidence about +1 500 555 0001")
	d.WaitText("main", "Aster Olu")
	d.Check("the evidence about a number")

	d.visit("/settings/sign-in")
	d.tick("[name=second_factor_required]")
	d.Follow(".form-foot .btn-primary")
	d.be(d.staff)
	d.visit("/calls")
	d.WaitText("main", "requires two-step sign-in")
	if path := d.Path(); !strings.HasPrefix(path, "/profile/second-factor/new") {
		t.Errorf("a member without a second step is at %s", path)
	}
}
