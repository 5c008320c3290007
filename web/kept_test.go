package web

import (
	"bytes"
	"errors"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// signInAgain signs a person in at a browser whose session is over.
func (b *visitor) signInAgain(p person, next string) *shown {
	b.t.Helper()
	return b.post("/sign-in", form("email", p.email, "password", password, "next", next, "remember", "on"))
}

// nextOf is where a redirect to the sign-in leads on to.
func nextOf(t testing.TB, v *shown) string {
	t.Helper()
	u, err := url.Parse(v.want(http.StatusSeeOther).header.Get("Location"))
	if err != nil || u.Path != "/sign-in" {
		t.Fatalf("%s: leads to %s", v.what, v.header.Get("Location"))
	}
	return u.Query().Get("next")
}

func TestAFormOutlivesItsSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	typed := form("name", "Night & day", "time_zone", "America/Chicago", "region", "US", "calling_hours", "always", "password", "never kept", "api_token", "nor this")

	w.exec(`delete from user_session`) // revoked: the row is gone
	b.header.Set("Referer", w.server.URL+"/settings/projects/new")
	next := nextOf(t, b.post("/settings/projects", typed))
	if !strings.HasPrefix(next, "/settings/projects/new?kept=") {
		t.Fatalf("the form does not come back to its page: %q", next)
	}
	if n := w.count(`select count(*) from kept_form where position('Night'::bytea in form) > 0`); n != 0 {
		t.Error("it is stored as it is")
	}

	// Nobody else gets to see it, not even in the same browser.
	w.newVisitor().get(next).leads("/sign-in?next=" + url.QueryEscape(strings.TrimSuffix(next, "#kept")))
	n.as(n.newPerson("Cleo", "admin")).get(next).want(http.StatusOK).has("Your entries are no longer available", "America/New_York").lacks("Night")

	b.signInAgain(n.admin, next).leads(next)
	page := b.get(next).want(http.StatusOK).has("You were signed out", "Enter again: Api token and Password.", `id="kept"`).
		lacks("never kept", "nor this", "kept=")
	if page.header.Get("Cache-Control") != secretPage {
		t.Error("a cache may keep it")
	}
	// Nothing was done by signing in; sending it does what it would have done.
	if n := w.count(`select count(*) from project where name = 'Night & day'`); n != 0 {
		t.Fatal("it was carried out by itself")
	}
	if page.field("name") != "Night & day" || page.field("time_zone") != "America/Chicago" || !page.ticked("calling_hours", "always") || page.ticked("calling_hours", "custom") {
		t.Errorf("it is not filled in: %s", page.body)
	}
	b.post("/settings/projects", typed).leads("/settings/projects")
	if n := w.count(`select count(*) from project where name = 'Night & day'`); n != 1 {
		t.Error("sending it again did nothing")
	}

	// It is forgotten after a while, which the page says.
	w.Advance(61 * 60 * 1e9)
	b.get(next).want(http.StatusOK).has("Your entries are no longer available").lacks("Night")
}

// follow gets a page, wherever it leads first.
func (b *visitor) follow(path string) *shown {
	b.t.Helper()
	for range 5 {
		page := b.get(path)
		if page.status != http.StatusSeeOther {
			return page
		}
		path = page.header.Get("Location")
	}
	b.t.Fatalf("%s leads nowhere", path)
	return nil
}

// A form comes back with as many rows as it had, with the list that was stored for
// it, and in the midst of others on its page.
func TestFormsAreFilledInAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	// late sends a form after the session has ended, and comes back to it.
	late := func(from, to string, data url.Values) *shown {
		t.Helper()
		w.exec(`delete from user_session`)
		b.header.Set("Referer", w.server.URL+from)
		next := nextOf(t, b.post(to, data))
		b.signInAgain(n.admin, next)
		b.header.Del("Referer")
		return b.follow(next)
	}

	agent := form("name", "Nora", "language", "es-MX", "greeting", "Hola", "questions[0].ask", "", "questions[0].expect", "yes_no",
		"questions[3].ask", "\r\nWhich day?", "questions[3].expect", "choice", "questions[3].options", "Monday\nTuesday")
	for _, i := range []string{"1", "2"} {
		agent.Set("questions["+i+"].ask", "")
	}
	page := late("/settings/agents/new", "/settings/agents", agent).want(http.StatusOK).has(">\n\nWhich day?</textarea>", ">Monday\nTuesday</textarea>", "New agent")
	if !page.chosen("questions[3].expect", "choice") || !page.chosen("language", "es-MX") {
		t.Errorf("an agent is not filled in: %s", page.body)
	}

	// The answer to an earlier try has the address of the list: the page of a new one
	// is found from there. Boxes that were not ticked are not.
	hours := form("name", "Evenings", "time_zone", "America/Denver", "region", "US", "calling_hours", "custom", "calling_hours.clock", "recipient")
	for _, i := range []string{"0", "1", "2", "3", "4"} {
		hours.Set("calling_hours.windows["+i+"].start", "")
		hours.Set("calling_hours.windows["+i+"].end", "")
	}
	hours.Set("calling_hours.windows[4].start", "17:30")
	hours.Add("calling_hours.windows[4].days", "tue")
	page = late("/settings/projects", "/settings/projects", hours).want(http.StatusOK).has("New project", "You were signed out")
	if page.field("calling_hours.windows[4].start") != "17:30" || !page.ticked("calling_hours.windows[4].days", "tue") || page.ticked("calling_hours.windows[0].days", "mon") {
		t.Error("hours are not filled in")
	}

	// One form of several on a page, next to it.
	page = late("/profile", "/profile", form("name", "Ada Lovelace"))
	if page.want(http.StatusOK).field("name") != "Ada Lovelace" || strings.Count(page.body, `id="kept"`) != 1 {
		t.Error("a form among others is not filled in")
	}

	// A campaign, with its list as it was read before.
	v := n.as(n.admin)
	data := n.campaignForm(v, "name", "Visits", "recipients", "phone_number,name\n+15005000001,Ada\n", "action", "check")
	upload := v.post("/campaigns", data).want(http.StatusOK).field("upload")
	data.Del("recipients")
	data.Del("action")
	data.Del("leave_out")
	data.Set("upload", upload)
	data.Set("header_before", "on")
	data.Set("header", "on")
	data.Set("rejected", "0")
	data.Set("column.0", "phone_number")
	data.Set("column.1", "none")
	data.Set("retry.max_attempts", "3")
	page = late("/campaigns/new", "/campaigns", data).want(http.StatusOK).has("New campaign", "All rows are valid", "Start 1 call")
	if page.field("upload") != upload || page.field("retry.max_attempts") != "3" || !page.chosen("column.1", "none") || page.field("id") != data.Get("id") {
		t.Errorf("a campaign is not filled in: %s", page.body)
	}

	// What was chosen may be gone since then.
	data.Set("agent_id", newID().String())
	late("/campaigns/new", "/campaigns", data).want(http.StatusOK).has("Enter again: Agent.")

	// Where there is no place for it, it is sent again from a page of its own.
	page = late("/settings/do-not-call/import", "/settings/do-not-call/import", form("upload", newID().String(), "region", "US", "channel", "both")).
		want(http.StatusOK).has("Send it again?", "Send now", "US")
	if !slices.Contains(page.links(), "POST /settings/do-not-call/import") {
		t.Errorf("it leads to %v", page.links())
	}
	id := n.newCampaign().String()
	w.exec(`delete from user_session`)
	next := nextOf(t, b.post("/campaigns/"+id+"/pause", form("why", "a reason")))
	if !strings.HasPrefix(next, "/kept/") {
		t.Errorf("a form without a page leads to %s", next)
	}
}

// chosen tells whether an option of a list is selected.
func (v *shown) chosen(name, value string) bool {
	v.t.Helper()
	_, list, ok := strings.Cut(v.body, ` name="`+name+`"`)
	if !ok {
		v.t.Fatalf("%s: no list %s", v.what, name)
	}
	list, _, _ = strings.Cut(list, "</select>")
	return regexp.MustCompile(`<option value="` + regexp.QuoteMeta(value) + `"[^>]* selected`).MatchString(list)
}

// A file is not kept, nor a list beyond the bound; what was typed is.
func TestWhatIsKeptOfAFormWithAFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	w.exec(`update user_session set expires_at = clock()`)
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	_ = parts.WriteField("name", "Visits in May")
	file, _ := parts.CreateFormFile("file", "list.csv")
	_, _ = file.Write([]byte("phone_number\n+15005000001\n"))
	_ = parts.WriteField("recipients", strings.Repeat("+15005000001\n", 200_000))
	_ = parts.WriteField("max_concurrency", "7")
	_ = parts.Close()
	next := nextOf(t, b.do("POST", "/campaigns", parts.FormDataContentType(), &body))
	b.signInAgain(n.admin, next)
	page := b.follow(next).want(http.StatusOK).has("Enter again: Choose a CSV file and Or paste numbers.").lacks("+15005000001\n+")
	if page.field("name") != "Visits in May" || page.field("max_concurrency") != "7" {
		t.Error("what was typed beside it is lost")
	}
}

func TestWhatIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.newTenant("Aster")
	b := n.as(n.admin)
	w.exec(`delete from user_session`)
	b.header.Set("Referer", w.server.URL+"/profile")
	for path, data := range map[string]url.Values{
		"/profile/password":                         form("current_password", password, "new_password", password), // only secrets
		"/campaigns/" + newID().String() + "/pause": nil,                                                          // nothing typed
		"/settings/do-not-call":                     form("phone_number", strings.Repeat("1", 2<<20)),
	} {
		if next := nextOf(t, b.post(path, data)); next != "/profile" {
			t.Errorf("%s leads to %s", path, next)
		}
	}
	// A browser nobody was signed in at keeps nothing, nor does another site's form.
	if next := nextOf(t, w.newVisitor().post("/settings/organization", form("name", "Mine"))); next != "" {
		t.Errorf("a stranger's form leads to %s", next)
	}
	b.header.Set("Sec-Fetch-Site", "cross-site")
	b.header.Set("Origin", "https://evil.example")
	b.post("/settings/organization", form("name", "Mine")).want(http.StatusForbidden)
	if n := w.count(`select count(*) from kept_form`); n != 0 {
		t.Errorf("%d forms are kept", n)
	}
	// The newest few of a person only.
	b.header.Del("Sec-Fetch-Site")
	b.header.Del("Origin")
	for range 8 {
		nextOf(t, b.post("/settings/organization", form("name", "Mine")))
	}
	if n := w.count(`select count(*) from kept_form`); n != 5 {
		t.Errorf("%d forms are kept", n)
	}
}

// What is stored of a form is bounded, also in the names of what is left out of
// it, and so is the work of finding that out.
func TestAKeptFormIsBounded(t *testing.T) {
	t.Parallel()
	for what, write := range map[string]func(parts *multipart.Writer, i int){
		"fields":  func(parts *multipart.Writer, i int) { _ = parts.WriteField("f"+strconv.Itoa(i), "") },
		"files":   func(parts *multipart.Writer, i int) { _, _ = parts.CreateFormFile("f"+strconv.Itoa(i), "list.csv") },
		"secrets": func(parts *multipart.Writer, i int) { _ = parts.WriteField("token"+strconv.Itoa(i), "x") },
		"names": func(parts *multipart.Writer, i int) {
			_, _ = parts.CreateFormFile(strconv.Itoa(i%10)+strings.Repeat("f", 1<<10), "list.csv")
		},
	} {
		var body bytes.Buffer
		parts := multipart.NewWriter(&body)
		for i := range maxKeptFields + 1 {
			write(parts, i)
		}
		_ = parts.Close()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/campaigns", &body)
		r.Header.Set("Content-Type", parts.FormDataContentType())
		var form keptForm
		if err := form.read(r); !errors.Is(err, errTooLong) {
			t.Errorf("%d %s: %v, %d fields and %d names kept", maxKeptFields+1, what, err, len(form.Fields), len(form.Lost))
		}
	}
}
