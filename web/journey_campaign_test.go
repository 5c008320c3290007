package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/dialwright/dialwright/internal/account"
	"github.com/dialwright/dialwright/internal/browsertest"
)

const saveForm = ".form-foot .btn-primary"

// A manager changes a campaign before its first call, duplicates it with its list as a draft, and starts the draft
// later.
func TestJourneyOfACampaignBeforeItsFirstCall(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	id, other := d.newCampaign().String(), d.freshAgent()
	d.w.exec(`update agent set name = 'June' where id = $1`, other)
	campaign := "/campaigns/" + id
	d.be(d.newPerson("Mia", account.Manager))

	d.visit(campaign)
	d.Follow("a[href='" + campaign + "/edit']")
	d.WaitText("main", "Nobody has been called yet")
	d.Check("a campaign that can change wholly")
	d.Fill("#agent_id", other.String())
	d.Fill("#name", "Summer visits")
	d.Follow(saveForm)
	d.WaitText(".toast", "Campaign changed")
	d.WaitText("h1", "Summer visits")
	d.WaitText("main", "June")
	d.WaitText("main", "Changed: name and agent")

	d.Follow("a[href='/campaigns/new?from=" + id + "']")
	d.WaitFor(`document.getElementById("name")?.value === "Summer visits (copy)"`)
	d.Click("aside button[value=check]")
	d.WaitText("main", "List of Summer visits")
	d.WaitText("aside", "1 of 1 will be called")
	d.Fill("#name", "Autumn visits")
	d.Follow("aside button[value=draft]")
	d.WaitText(".page-title", "Draft")

	// Later the draft is opened from the list of campaigns, and its settings begin another campaign.
	d.visit("/campaigns/new")
	draft := strings.TrimPrefix(browsertest.Eval[string](d.Tab, `[...document.querySelectorAll("#begin-with option")].
		find((o) => o.textContent.includes("Autumn visits"))?.value ?? ""`), "/")
	d.Check("a new campaign beside earlier ones")
	d.Fill("#begin-with", draft)
	d.Follow("form[method=get][action='/campaigns/new'] button")
	d.WaitFor(`document.getElementById("name")?.value === "Autumn visits (copy)"`)
	d.visit("/campaigns")
	d.Follow("tbody a[href='/campaigns/" + draft + "']")
	d.WaitText("h1", "Autumn visits")
	d.Follow("form[action$='/start'] button")
	d.WaitText(".page-title .badge", "Scheduled")
	d.WaitText("main", "Draft started")

	// After the first call, what it was made with is fixed.
	d.w.exec(`update call set campaign_id = $2 where id = $1`, d.newCall(), id)
	d.visit(campaign + "/edit")
	d.WaitText("main", "The campaign has called or written to people")
	if d.has("#agent_id") {
		t.Error("the agent of a campaign with calls can change")
	}
	d.Check("a campaign with calls that changes")
}

// A test call takes the chosen row of a list to three phones, and each call can be followed.
func TestJourneyOfTestCalls(t *testing.T) {
	t.Parallel()
	d := newDay(t)
	d.be(d.newPerson("Mia", account.Manager))
	d.visit("/campaigns/new")
	d.Fill("#name", "Spring visits")
	list := filepath.Join(t.TempDir(), "visits.csv")
	if err := os.WriteFile(list, []byte("phone,name\n+15005000001,Olu Adeyemi\n+15005000002,Mei Novak\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	d.Do("choose a file", chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{list}))
	d.WaitText("aside", "2 of 2 will be called")
	d.Wait("#test_row")
	d.Fill("#test_row", "1")
	d.Follow("aside button[value=test]")
	d.WaitText("h1", "Call me")
	if got := d.valueOf("#name"); got != "Mei Novak" {
		t.Errorf("the test call is for %q", got)
	}
	for i, number := range []string{"+15005000007", "+15005000008", "+15005000009"} {
		d.Fill([]string{"#to_number", "#to_number_2", "#to_number_3"}[i], number)
	}
	d.Check("a test call to three phones")
	d.Follow(saveForm)
	d.WaitFor(`document.getElementById("name")?.value === "Spring visits"`)
	d.WaitText("#test-calls", "3 test calls are placed")
	d.Check("a campaign after its test calls")
	call := browsertest.Eval[string](d.Tab, `document.querySelector("#test-calls li:last-child a[target=_blank]").href`)
	beside := browsertest.Open(t).NewTab(t) // the form of the campaign stays open
	beside.Become(d.at, d.as(d.admin).client.Jar.Cookies(d.w.origin()))
	beside.Go(call)
	beside.WaitText("h1", "Mei Novak")
	if n := d.w.count(`select count(*) from call where recipient_name = 'Mei Novak'`); n != 3 {
		t.Errorf("%d test calls", n)
	}
}
