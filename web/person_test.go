package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dialwright/dialwright/internal/browsertest"
	"github.com/dialwright/dialwright/internal/suppression"
)

// Staff find a person by a part of the number, write a note, and open a call. No address tells the number.
func TestJourneyOfAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	n.newCampaign()
	call := n.newCall()
	tab := browsertest.Open(t).NewTab(t)
	tab.Go(w.server.URL + "/sign-in")
	tab.Fill("#email", n.staff.email)
	tab.Fill("#password", password)
	tab.Follow("form[action='/sign-in'] button.btn-primary")
	tab.Do("press Ctrl K", chromedp.KeyEvent("k", chromedp.KeyModifiers(2)))
	tab.Wait("#palette[open]")
	tab.Fill("#palette .query", "500-555 0001")
	tab.WaitText("#palette .is-current", "Aster Olu")
	tab.Check("palette with a person")
	tab.Do("press Enter", chromedp.KeyEvent(kb.Enter))
	tab.WaitText("h1", "Aster Olu")
	if path := tab.Path(); !strings.HasPrefix(path, "/people/") || strings.Contains(path, "555") {
		t.Errorf("the address of a person is %s", path)
	}
	tab.Fill("#text", "Prefers mornings")
	tab.Follow("form[action$='/notes'] .btn")
	tab.WaitText("#main", "Prefers mornings")
	tab.WaitText(".toast", "Note added")
	tab.Check("a person with a note")
	tab.Screenshot("person")
	tab.Follow("a[href='/calls/" + call.String() + "']")
	tab.WaitText("h1", "Aster Olu")
	tab.Follow(".page-line a[href^='/people/']")
	tab.WaitText("#main", "Prefers mornings")
	for _, problem := range tab.Problems() {
		t.Errorf("at the end: %s", problem)
	}
	if log := w.log.String(); strings.Contains(log, "5550001") {
		t.Errorf("the log has the number: %s", log)
	}
}

func TestSearchPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	for _, of := range []*tenant{n, other} {
		of.newCampaign()
		of.newDestination()
	}
	call, delivery := n.newCall(), n.newDelivery()
	w.exec(`update call set external_id = 'crm-17' where id = $1`, call)
	w.exec(`update recipient set phone_number = '+16305550137', name = 'Dorothy Castellanos'
		where organization_id = $1`, n.organization)
	w.exec(`update recipient set phone_number = '+16305550138', name = 'Dorothy Borealis' where organization_id = $1`,
		other.organization)
	w.exec(`update phone_number set phone_number = '+13125550166', name = 'Care line' where id = $1`, n.number)
	scheduled := n.newScheduledCall()
	person := "/people/" + w.app.People.Ref(n.organization, "+16305550137")
	admin, staff := n.as(n.admin), n.as(n.staff)
	admin.get("/search").want(http.StatusOK).has("Finds people by name")
	for q, want := range map[string][]string{
		"dorothy":                   {"People 1", "Dorothy Castellanos", person, "Transcripts", "/calls?q=dorothy"},
		"6305550137":                {person},
		"(630)+555-0137":            {person},
		"555+013":                   {person},
		"550166":                    {"Care line +1 312 555 0166"},
		"aster":                     {"Campaigns 1", "Aster spring", "Agents", "Projects", "Destinations"},
		"crm-17":                    {"Calls by external ID 1", "/calls/" + call.String()},
		call.String():               {"/calls/" + call.String()},
		scheduled.String():          {"/calls/" + scheduled.String()},
		n.project.String():          {"Aster reminders", "/settings/projects/" + n.project.String()},
		delivery.ID.String():        {delivery.WebhookID.String() + "/deliveries/" + delivery.ID.String()},
		"nobody+of+that+name":       {"Nothing was found"},
		other.project.String():      {"Nothing was found"},
		"%00%FF":                    {},
		strings.Repeat("long+", 99): {"Nothing was found"},
	} {
		admin.get("/search?q=" + q).want(http.StatusOK).has(want...).lacks("Borealis")
		staff.get("/search?q="+q).want(http.StatusOK).
			lacks("Borealis", "/settings/projects/", "/settings/destinations/")
	}
	palette := admin.get("/search?part=palette&q=dorothy").want(http.StatusOK).
		has("All results for “dorothy”", person)
	if strings.Contains(palette.body, "<html") || !strings.Contains(palette.body, `id="found-0-0" role="option"`) {
		t.Errorf("the palette gets %s", palette.body)
	}
}

func TestPersonPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.newTenant("Aster"), w.newTenant("Borealis")
	const number = "+15005550001" // of newCall
	path := "/people/" + w.app.People.Ref(n.organization, number)
	campaign, call := n.newCampaign(), n.newCall()
	w.exec(`update recipient set consent_basis = 'contract', consent_source = 'form 17' where campaign_id = $1`,
		campaign)
	w.exec(`update message set phone_number = $2 where id = $1`, n.newMessage(), number)
	followed := n.newFollowUp()
	w.exec(`update follow_up set call_id = $2 where id = $1`, followed, call)
	entry, _, err := w.app.Suppressions.Add(t.Context(), n.actor(), suppression.NewEntry{
		PhoneNumber: number, Source: suppression.ByUser, Note: "Aster letter",
	})
	if err != nil {
		t.Fatal(err)
	}
	admin, staff := n.as(n.admin), n.as(n.staff)
	admin.get(path).want(http.StatusOK).has("Aster Olu", "+1 500 555 0001", "Contract, form 17", "Aster spring",
		"heads_up", "Aster letter", "/follow-ups/"+followed.String(), "/calls/"+call.String(), "Evidence", "Erase",
		"Call again")
	// A row that repeats the number does not name the person.
	w.exec(`
		insert into recipient (id, organization_id, campaign_id, phone_number, name, zone_source, status, skip_reason)
		select gen_random_uuid(), organization_id, campaign_id, phone_number, 'Aster Twice', 'project', 'skipped',
			'duplicate'
		from recipient where campaign_id = $1`, campaign)
	_, title, _ := strings.Cut(admin.get(path).has("Aster Twice").body, "<h1")
	if title, _, _ = strings.Cut(title, "</h1>"); !strings.Contains(title, "Aster Olu") {
		t.Errorf("the person is called %q", title)
	}
	// Its consent is one of the person's.
	w.exec(`update recipient set consent_basis = case when skip_reason = 'duplicate' then 'verbal' end
		where campaign_id = $1`, campaign)
	if !regexp.MustCompile(`>Consent</dt>\s*<dd[^>]*>\s*Verbal`).MatchString(admin.get(path).body) {
		t.Error("the consent of the row is missing")
	}
	staff.get(path).want(http.StatusOK).lacks("/settings/evidence", "/settings/erasures", "Call again")
	other.newCall()
	other.as(other.admin).get(path).want(http.StatusNotFound)
	admin.get("/people/" + number).want(http.StatusNotFound)
	admin.get("/people/" + w.app.People.Ref(n.organization, "+13125550199")).want(http.StatusNotFound)
	for _, page := range []string{
		"/calls/" + call.String(), "/follow-ups/" + followed.String(), "/do-not-call",
		"/campaigns/" + campaign.String(),
	} {
		admin.get(page).want(http.StatusOK).has(path)
	}
	admin.get("/do-not-call/new?person=" + strings.TrimPrefix(path, "/people/")).has("+1 500 555 0001")
	erase := admin.get("/settings/erasures?person=" + strings.TrimPrefix(path, "/people/")).has("+1 500 555 0001")
	back := `<a class="btn btn-quiet" href="` + path + `"`
	erase.has(back, `<a href="`+path+`"`)
	admin.post("/settings/erasures", changed(erase.fields(), "phone_number", "")).
		want(http.StatusUnprocessableEntity).has(back, `<a href="`+path+`"`)
	admin.get("/settings/erasures?person=x").has(`<a class="btn btn-quiet" href="/do-not-call"`)

	staff.post(path+"/notes", form("text", " ")).wrong("text", "Required")
	staff.post(path+"/notes", form("text", "Prefers mornings")).leads(path)
	edit := pathOf(t, staff.get(path).has("Prefers mornings", "Aster Sam"), "Change")
	sent := changed(staff.get(edit).want(http.StatusOK).fields(), "text", "Prefers evenings")
	admin.post(edit, sent).leads(path)
	again := staff.post(edit, changed(sent, "text", "Prefers noon")).want(http.StatusUnprocessableEntity).
		has("Somebody else changed this note", "Prefers noon")
	staff.post(edit, changed(again.fields(), "text", "Prefers noon")).leads(path)
	staff.get(path).has("Prefers noon", "Changed by Aster Sam").lacks("Prefers evenings")
	evidence := admin.post("/settings/evidence", form("phone_number", number)).want(http.StatusOK).has("Prefers noon")
	evidence.has("Note")
	staff.get(edit + "/delete").want(http.StatusOK).has("Delete this note?")
	staff.post(edit+"/delete", nil).leads(path)
	staff.get(edit).want(http.StatusNotFound)

	// A person of whom nothing is left has no page.
	staff.post(path+"/notes", form("text", "Prefers mornings")).leads(path)
	w.exec(`delete from follow_up`)
	w.exec(`delete from message`)
	w.exec(`delete from campaign where organization_id = $1`, n.organization)
	w.exec(`delete from call where organization_id = $1`, n.organization)
	if err := w.app.Suppressions.Remove(t.Context(), n.actor(), entry.ID, "By mistake"); err != nil {
		t.Fatal(err)
	}
	staff.get(path).want(http.StatusOK).has("Prefers mornings", "No calls")
	w.exec(`delete from person_note`)
	w.exec(`delete from do_not_call_removal`)
	staff.get(path).want(http.StatusNotFound)
	staff.post(path+"/notes", form("text", "Prefers mornings")).want(http.StatusNotFound)
}
